use std::time::Duration;

use super::*;

#[test]
fn a_ply_is_its_move_and_its_time() {
    let clock = |spent, total: Option<u64>| {
        Some(Clock {
            spent: Duration::from_secs(spent),
            total: total.map(Duration::from_secs),
        })
    };
    for (text, word, time) in [
        (
            "７六歩(77)   ( 0:16/00:00:16)",
            "７六歩(77)",
            clock(16, Some(16)),
        ),
        (
            "８八角成(22)( 0:48/00:03:12)+",
            "８八角成(22)",
            clock(48, Some(192)),
        ),
        ("同　歩(23)", "同　歩(23)", None),
        ("同　歩（２３） (1:00)", "同　歩（２３）", clock(60, None)),
        (
            "２三歩打   ( 0:34/00:02:24)",
            "２三歩打",
            clock(34, Some(144)),
        ),
        (
            "２三歩打(00) ( 0:34/00:02:24)",
            "２三歩打(00)",
            clock(34, Some(144)),
        ),
        ("投了       ( 0:19/00:03:37)", "投了", clock(19, Some(217))),
        ("投了+", "投了", None),
        ("７六歩(77)+", "７六歩(77)", None),
        ("７六歩(77", "７六歩", None),
        ("(", "", None),
    ] {
        assert_eq!(split_ply(text), PlyText { word, clock: time }, "{text}");
    }
}
