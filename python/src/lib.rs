//! The native module `yose._native` of the Python package `yose`.
//!
//! It has the parts that need the library: positions, the reader of files, and the search. The
//! package in `yose/` adds results, data frames and the display of progress, in Python.
//!
//! # What must hold
//! - No search and no read holds the GIL. The thread that waits for one checks for signals twenty
//!   times a second.
//! - No input leads to a panic. If a search panics all the same, it becomes a `RuntimeError`.

mod position;
mod reader;
mod search;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// The native part of Yose: see the package `yose`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    yose::tier::check().map_err(PyImportError::new_err)?;
    add_members(module)
}

/// Adds the members of the module. It is a function of its own because nothing else may be compiled
/// together with the check of the CPU.
#[inline(never)]
fn add_members(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("tier", yose::tier::NAME)?;
    module.add_class::<position::Position>()?;
    module.add_class::<reader::Reader>()?;
    module.add_function(wrap_pyfunction!(search::solve, module)?)?;
    module.add_function(wrap_pyfunction!(search::clear, module)?)
}
