//! Recorded runs are replayed: what is predicted at some moment is compared with the nodes that
//! were left then. Times are nodes over a speed, so they are off by the same factor.

use super::*;
use crate::batch::cost::testing;

/// The predicted cost of a position and the standard deviation of its logarithm, the nodes at the
/// end of each selective pass, and all nodes. One thread with empty tables took them.
type Run = (u64, f64, &'static [u64], u64);

fn predicted(&(mean, deviation, ..): &Run) -> Cost {
    Prediction { ln_nodes: (mean as f64).ln() - deviation * deviation / 2.0, deviation }.cost()
}

/// FFO 40 to 53, 55 and 59.
const FFO: [Run; 16] = [
    (2_202_124, 1.63, &[867_139, 1_553_581], 7_140_252),
    (8_475_983, 0.818, &[890_192, 1_817_696], 8_762_281),
    (7_616_129, 0.818, &[427_038, 3_824_605], 9_989_663),
    (12_420_837, 0.818, &[765_587, 3_988_613], 8_082_989),
    (15_344_234, 0.818, &[1_058_380, 2_284_092], 7_640_434),
    (39_802_209, 0.818, &[2_915_831, 9_975_520], 97_073_036),
    (35_106_370, 0.818, &[2_001_019, 4_097_508], 17_366_921),
    (55_084_302, 0.818, &[500_787, 715_240], 14_907_156),
    (80_571_701, 0.818, &[359_095, 2_853_077], 40_160_150),
    (114_118_061, 0.818, &[4_750_791, 21_421_771, 45_773_942], 86_619_935),
    (168_392_878, 0.818, &[1_938_599, 6_845_056, 10_473_520], 257_129_969),
    (264_730_745, 0.818, &[7_765_583, 17_084_561, 32_948_283], 84_197_316),
    (275_643_555, 0.818, &[4_050_344, 13_828_397, 41_011_720], 85_079_514),
    (497_969_444, 0.818, &[41_878_375, 124_633_121, 249_333_479], 583_262_159),
    (1_195_658_216, 0.818, &[128_763_533, 506_040_278, 945_981_619], 3_320_055_281),
    (10_696_719_061, 2.3, &[43_489, 203_410, 2_457_428], 22_870_012),
];

/// 20 hard positions of 20 empties.
const HARD: [Run; 20] = [
    (2_363_029, 0.818, &[92_298, 257_918], 2_062_653),
    (1_917_976, 2.3, &[6_417, 30_483], 2_101_258),
    (3_081_259, 2.3, &[292_389, 707_550], 3_899_715),
    (1_940_888, 0.818, &[182_866, 419_045], 1_781_860),
    (1_874_425, 0.818, &[11_027, 42_084], 2_413_163),
    (1_759_840, 0.818, &[206_722, 805_440], 1_490_442),
    (1_569_043, 0.818, &[86_098, 191_391], 1_308_888),
    (2_369_158, 0.818, &[513_338, 1_738_248], 3_652_952),
    (2_149_615, 0.818, &[486_342, 774_320], 2_088_071),
    (2_292_639, 0.818, &[299_807, 1_243_000], 3_007_408),
    (1_916_420, 0.818, &[365_683, 1_110_608], 1_610_788),
    (2_118_114, 0.818, &[325_035, 1_943_105], 3_065_097),
    (2_362_049, 1.185, &[388_770, 1_124_218], 2_634_324),
    (1_677_147, 0.818, &[802_786, 3_936_908], 4_965_207),
    (2_645_706, 0.818, &[8_006, 1_216_864], 2_780_894),
    (1_703_823, 0.818, &[125_195, 223_300], 665_669),
    (2_397_447, 0.818, &[756_833, 1_302_710], 2_809_751),
    (2_273_076, 0.818, &[315_505, 1_217_008], 4_133_903),
    (2_019_975, 0.818, &[174_279, 505_989], 1_226_936),
    (1_938_337, 0.818, &[217_539, 804_779], 2_960_822),
];

/// 27 positions of tournament games: nine each with 18, 20 and 22 empties.
const GAMES: [Run; 27] = [
    (182_987, 1.26, &[244_883], 687_355),
    (332_668, 0.818, &[92_838], 447_454),
    (276_193, 0.818, &[126_115], 185_392),
    (552_093, 0.818, &[150_044], 631_748),
    (589_851, 0.836, &[216_226], 495_165),
    (536_243, 0.818, &[46_127], 438_987),
    (490_886, 0.818, &[173_039], 394_986),
    (281_081, 0.818, &[70_329], 334_770),
    (599_293, 0.818, &[18_953], 335_595),
    (1_001_230, 1.263, &[123_646, 276_069], 832_930),
    (1_839_476, 0.818, &[209_853, 689_831], 2_141_142),
    (1_249_359, 0.818, &[212_932, 334_448], 410_510),
    (2_069_665, 0.818, &[331_480, 1_352_247], 2_303_116),
    (2_145_293, 0.818, &[412_498, 1_195_766], 2_473_135),
    (2_172_919, 0.818, &[191_733, 636_737], 1_047_753),
    (2_011_754, 0.818, &[728_895, 1_570_204], 2_525_082),
    (1_468_179, 0.818, &[172_202, 350_724], 1_017_585),
    (2_402_854, 0.818, &[11_400, 70_174], 1_494_352),
    (4_231_972, 0.994, &[115_417, 123_963], 9_752_150),
    (6_582_078, 0.818, &[410_424, 2_418_797], 11_482_217),
    (5_654_490, 0.818, &[6_916_961, 11_435_379], 13_622_567),
    (6_246_653, 0.818, &[459_411, 1_914_320], 4_085_243),
    (7_977_446, 0.818, &[610_468, 1_565_418], 4_189_243),
    (9_110_915, 0.818, &[657_996, 4_072_425], 9_165_548),
    (7_342_714, 0.818, &[533_323, 2_493_927], 4_312_798),
    (6_052_685, 0.818, &[391_539, 1_009_417], 9_708_364),
    (10_439_899, 0.818, &[157_641, 416_623], 19_295_179),
];

/// The lists.
const LISTS: [&[Run]; 3] = [&FFO, &HARD, &GAMES];

/// The search of a position after `nodes` nodes.
fn running(run: &Run, nodes: u64) -> Running {
    let passes = run.2;
    let done = passes.iter().take_while(|&&end| end <= nodes).count();
    let milestone = done.checked_sub(1).map(|last| Milestone {
        passes_left: (passes.len() - done) as u32,
        score: 0,
        nodes: passes[last],
    });
    Running { cost: predicted(run), nodes, milestone }
}

/// What is finished and what remains when one thread that solves a list in its order has taken this
/// share of its nodes, and the nodes that are left then.
fn moment(list: &[Run], share: f64) -> (Finished, Remaining, f64) {
    let all: u64 = list.iter().map(|run| run.3).sum();
    let mut nodes = (all as f64 * share) as u64;
    let left = (all - nodes) as f64;
    let (mut finished, mut remaining) = (Finished::default(), Remaining::default());
    for run in list {
        let total = run.3;
        if !remaining.running.is_empty() {
            remaining.waiting += predicted(run);
        } else if nodes >= total {
            finished.add(predicted(run), total);
            nodes -= total;
        } else {
            remaining.running.push(running(run, nodes));
        }
    }
    (finished, remaining, left)
}

/// Every rotation of a list, so that each position is once the first and once the last.
fn rotations(list: &[Run]) -> impl Iterator<Item = Vec<Run>> {
    (0..list.len()).map(|by| [&list[by..], &list[..by]].concat())
}

/// The ratio of what is predicted and of what is left at a moment, and whether the latter lies in
/// the range of eight of ten cases.
fn judge((finished, remaining, left): &(Finished, Remaining, f64)) -> (f64, bool) {
    let range = remaining.nodes(finished).range();
    (range.mean / left, (range.low..=range.high).contains(left))
}

/// The ratios of some moments, and how many of them have their truth in the range.
#[derive(Default)]
struct Judged {
    ratios: Vec<f64>,
    inside: usize,
}

impl Judged {
    fn add(&mut self, moment: &(Finished, Remaining, f64)) {
        let (ratio, is_inside) = judge(moment);
        self.ratios.push(ratio);
        self.inside += usize::from(is_inside);
    }

    /// The ratios below and above which one of ten lies.
    fn eight_of_ten(&mut self) -> (f64, f64) {
        self.ratios.sort_by(f64::total_cmp);
        let at =
            |share: f64| self.ratios[((self.ratios.len() - 1) as f64 * share).round() as usize];
        (at(0.1), at(0.9))
    }

    /// The share of the moments with the truth in their range.
    fn share_inside(&self) -> f64 {
        self.inside as f64 / self.ratios.len() as f64
    }
}

#[test]
fn the_rest_of_a_list_is_predicted_at_a_quarter_a_half_and_three_quarters() {
    // FFO 55 takes 2.8 times what is predicted, and three quarters of the nodes of its list: while
    // it waits, the truth is above the range.
    let ffo = &FFO[..FFO.len() - 1];
    for (list, low, high, inside) in
        [(ffo, 0.25, 2.5, 0.0), (&HARD, 0.7, 1.3, 0.8), (&GAMES, 0.5, 1.4, 0.8)]
    {
        for share in [0.25, 0.5, 0.75] {
            let mut judged = Judged::default();
            rotations(list).for_each(|list| judged.add(&moment(&list, share)));
            let (from, to) = judged.eight_of_ten();
            assert!(low < from && to < high, "after {share}: {from:.2} to {to:.2}");
            assert!(judged.share_inside() >= inside, "{:.2} after {share}", judged.share_inside());
        }
    }
}

/// FFO 59 is predicted to take twice as many nodes as all others together, and takes one in two
/// hundred. While it waits, the range says that this may be so.
#[test]
fn a_list_with_a_clear_game_has_a_wide_range() {
    for share in [0.25, 0.5, 0.75] {
        let mut judged = Judged::default();
        rotations(&FFO).for_each(|list| judged.add(&moment(&list, share)));
        assert!(judged.share_inside() >= 0.8, "{:.2} after {share}", judged.share_inside());
        let (_, to) = judged.eight_of_ten();
        assert!(to < 12.0, "{to:.2} after {share}");
    }
}

/// The moment when this share of the last position is done, and all positions before it.
fn last(list: &[Run], share: f64) -> (Finished, Remaining, f64) {
    let all: u64 = list.iter().map(|run| run.3).sum();
    let last = list[list.len() - 1].3;
    moment(list, 1.0 - (1.0 - share) * last as f64 / all as f64)
}

#[test]
fn the_rest_of_the_last_position_is_predicted_while_it_runs() {
    let mut all = Judged::default();
    for (share, low, high) in [(0.25, 0.2, 3.5), (0.5, 0.4, 3.5), (0.75, 1.0, 6.0)] {
        let mut judged = Judged::default();
        for list in LISTS {
            for list in rotations(list) {
                judged.add(&last(&list, share));
                all.add(&last(&list, share));
            }
        }
        let (from, to) = judged.eight_of_ten();
        assert!(low < from && to < high, "after {share}: {from:.2} to {to:.2}");
    }
    assert!(all.share_inside() >= 0.75, "{:.2}", all.share_inside());
}

/// A short position that was predicted to be a long one shows it soon: after a hundredth of its
/// nodes, which is its second selective pass.
#[test]
fn a_wipeout_at_the_end_of_a_list_is_soon_known_to_be_short() {
    let before = judge(&last(&FFO, 0.0)).0;
    assert!(before > 100.0, "{before:.1}");
    for share in [0.01, 0.1, 0.25, 0.5, 0.75] {
        let (ratio, _) = judge(&last(&FFO, share));
        assert!(ratio < 6.0, "{ratio:.2} after {share}");
    }
}

#[test]
fn finished_positions_correct_the_rest_of_the_list() {
    let of = |positions: u32, nodes: u64| {
        let mut finished = Finished::default();
        (0..positions).for_each(|_| finished.add(testing(1e6), nodes));
        correction(&finished).factor
    };
    assert_eq!((of(0, 0), of(10, 1_000_000)), (1.0, 1.0));
    let (one, ten, many) = (of(1, 200_000), of(10, 200_000), of(10_000, 200_000));
    assert!(0.7 < one && one < 0.9, "one position proves little: {one}");
    assert!(0.3 < ten && ten < one, "{ten}");
    assert!((many - 0.2).abs() < 0.01, "{many}");
}
