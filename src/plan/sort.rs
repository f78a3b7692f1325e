//! A sort of more records than fit into memory.
//!
//! Records are texts of bytes, and are sorted as such. They are collected in memory; when it is
//! full, they are sorted and written to a file, a *run*. At the end all runs are merged while they
//! are read. Where many runs have the same size, they are merged into a longer one first, so that
//! the number of open files stays small. (Donald E. Knuth, "The Art of Computer Programming",
//! volume 3, second edition, 1998, section 5.4, "External Sorting".)

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The number of runs of one size that are merged into a longer one.
const MERGED_RUNS: usize = 64;

/// Collects records to be sorted.
#[derive(Debug)]
pub(super) struct Sorter {
    folder: TempDir,
    /// The number of bytes that may be in memory.
    memory: usize,
    bytes: Vec<u8>,
    /// The place of each record in `bytes`: its offset and its length.
    records: Vec<(usize, usize)>,
    /// The runs by the number of merges that made them.
    levels: Vec<Vec<PathBuf>>,
    /// The number of runs so far, for their names.
    runs: u64,
}

impl Sorter {
    /// A sorter that uses about `memory` bytes, and files in a temporary folder within `folder`.
    ///
    /// # Errors
    /// If the temporary folder cannot be made.
    pub fn new(folder: &Path, memory: usize) -> io::Result<Sorter> {
        let folder = tempfile::Builder::new().prefix(".sort.").tempdir_in(folder)?;
        let (bytes, records, levels) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Sorter { folder, memory, bytes, records, levels, runs: 0 })
    }

    /// Adds a record of less than 64 KiB.
    ///
    /// # Errors
    /// If a run cannot be written.
    pub fn push(&mut self, record: &[u8]) -> io::Result<()> {
        let used = self.bytes.len() + self.records.len() * size_of::<(usize, usize)>();
        if used + record.len() > self.memory && !self.records.is_empty() {
            self.spill()?;
        }
        self.records.push((self.bytes.len(), record.len()));
        self.bytes.extend_from_slice(record);
        Ok(())
    }

    /// Writes the records in memory as a run.
    fn spill(&mut self) -> io::Result<()> {
        let mut records = std::mem::take(&mut self.records);
        let bytes = std::mem::take(&mut self.bytes);
        let text = |&(offset, length): &(usize, usize)| &bytes[offset..offset + length];
        records.sort_unstable_by(|one, other| text(one).cmp(text(other)));
        let (path, mut run) = self.new_run()?;
        records.iter().try_for_each(|record| write_record(&mut run, text(record)))?;
        run.flush()?;
        self.add(0, path)?;
        // The memory is used again.
        (self.records, self.bytes) = (records, bytes);
        self.records.clear();
        self.bytes.clear();
        Ok(())
    }

    fn new_run(&mut self) -> io::Result<(PathBuf, BufWriter<File>)> {
        self.runs += 1;
        let path = self.folder.path().join(self.runs.to_string());
        let file = File::create_new(&path)?;
        Ok((path, BufWriter::with_capacity(1 << 18, file)))
    }

    /// Adds a run, and merges those of its level if they are many.
    fn add(&mut self, level: usize, run: PathBuf) -> io::Result<()> {
        if level == self.levels.len() {
            self.levels.push(Vec::new());
        }
        self.levels[level].push(run);
        if self.levels[level].len() < MERGED_RUNS {
            return Ok(());
        }
        let runs = std::mem::take(&mut self.levels[level]);
        let (path, mut longer) = self.new_run()?;
        let mut merge = Merge::open(&runs)?;
        while let Some(record) = merge.next()? {
            write_record(&mut longer, record)?;
        }
        longer.flush()?;
        runs.iter().try_for_each(fs::remove_file)?;
        self.add(level + 1, path)
    }

    /// Ends the collection.
    ///
    /// # Errors
    /// If a run cannot be written.
    pub fn finish(mut self) -> io::Result<Sorted> {
        if !self.records.is_empty() {
            self.spill()?;
        }
        let runs = self.levels.into_iter().flatten().collect();
        Ok(Sorted { _folder: self.folder, runs })
    }
}

/// The sorted records. Their files are removed when this is dropped.
#[derive(Debug)]
pub(super) struct Sorted {
    _folder: TempDir,
    runs: Vec<PathBuf>,
}

impl Sorted {
    /// Reads the records in their order, from the first.
    ///
    /// # Errors
    /// If a run cannot be read.
    pub fn read(&self) -> io::Result<Merge> {
        Merge::open(&self.runs)
    }
}

/// Reads several runs as one.
#[derive(Debug)]
pub(super) struct Merge {
    runs: Vec<BufReader<File>>,
    /// The next record of each run that is not at its end, and the number of the run.
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    record: Vec<u8>,
}

impl Merge {
    fn open(runs: &[PathBuf]) -> io::Result<Merge> {
        let open =
            |path: &PathBuf| File::open(path).map(|run| BufReader::with_capacity(1 << 16, run));
        let mut runs = runs.iter().map(open).collect::<io::Result<Vec<_>>>()?;
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (number, run) in runs.iter_mut().enumerate() {
            let mut record = Vec::new();
            if read_record(run, &mut record)? {
                heads.push(Reverse((record, number)));
            }
        }
        Ok(Merge { runs, heads, record: Vec::new() })
    }

    /// The next record; `None` after the last.
    ///
    /// # Errors
    /// If a run cannot be read.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        let Some(mut least) = self.heads.peek_mut() else { return Ok(None) };
        let Reverse((record, number)) = &mut *least;
        std::mem::swap(&mut self.record, record);
        if !read_record(&mut self.runs[*number], record)? {
            PeekMut::pop(least);
        }
        Ok(Some(&self.record))
    }
}

fn write_record(out: &mut impl Write, record: &[u8]) -> io::Result<()> {
    let length = u16::try_from(record.len()).expect("a record is shorter than 64 KiB");
    out.write_all(&length.to_le_bytes())?;
    out.write_all(record)
}

/// Reads a record. Returns false at the end of the run.
fn read_record(run: &mut BufReader<File>, record: &mut Vec<u8>) -> io::Result<bool> {
    let mut length = [0; 2];
    match run.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
        read => read?,
    }
    record.resize(u16::from_le_bytes(length).into(), 0);
    run.read_exact(record)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_sorted_however_many_runs_they_need() {
        let folder = tempfile::tempdir().expect("a folder");
        // With 200 bytes a run has some nine records: more than 64 runs, so two levels.
        for (count, memory) in [(0u32, 200), (5, 1 << 20), (3000, 200), (3000, 1 << 20)] {
            let mut sorter = Sorter::new(folder.path(), memory).expect("a folder");
            let mut expected = Vec::new();
            for number in 0..count {
                let mixed = number.wrapping_mul(2_654_435_761);
                let record = mixed.to_be_bytes()[..1 + mixed as usize % 4].to_vec();
                sorter.push(&record).expect("it can be written");
                expected.push(record);
            }
            expected.sort();
            let sorted = sorter.finish().expect("it can be written");
            // They can be read several times.
            for _ in 0..2 {
                let (mut merge, mut found) = (sorted.read().expect("runs"), Vec::new());
                while let Some(record) = merge.next().expect("a run") {
                    found.push(record.to_vec());
                }
                assert!(found == expected, "{count} records, {memory} bytes");
            }
        }
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 0, "temporary files are removed");
    }
}
