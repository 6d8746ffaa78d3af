use super::*;

#[test]
fn lines_are_told_apart() {
    for (line, expected) in [
        ("", KifLine::Skipped),
        (" \u{3000} ", KifLine::Skipped),
        ("# ---- 棋譜 ----", KifLine::Skipped),
        ("#終局：最大手数", KifLine::Exact("最大手数")),
        ("手数----指手---------消費時間--", KifLine::Skipped),
        ("手数＝12  ▲７六歩  まで", KifLine::Skipped),
        ("  ９ ８ ７ ６ ５ ４ ３ ２ １", KifLine::Skipped),
        ("+---------------------------+", KifLine::Skipped),
        ("盤面反転", KifLine::Skipped),
        ("*名：注釈", KifLine::Comment("名：注釈")),
        ("**機械", KifLine::Comment("*機械")),
        ("&しおり", KifLine::Bookmark("しおり")),
        ("|v玉 ・|一", KifLine::Rank("|v玉 ・|一")),
        ("後手番", KifLine::Side(Color::White)),
        ("下手番", KifLine::Side(Color::Black)),
        (
            "手合割：平手　　",
            KifLine::Header {
                key: "手合割",
                value: "平手",
            },
        ),
        (
            "先手: A: B ",
            KifLine::Header {
                key: "先手",
                value: "A: B",
            },
        ),
        (
            "10面指し：あり",
            KifLine::Header {
                key: "10面指し",
                value: "あり",
            },
        ),
        ("変化：5手", KifLine::Variation(5)),
        ("変化： １２手", KifLine::Variation(12)),
        ("まで7手で中断", KifLine::Summary("7手で中断")),
        ("▲７六歩 △３四歩", KifLine::Marked("▲７六歩 △３四歩")),
        (
            " 12 投了  ",
            KifLine::Ply {
                number: 12,
                rest: "投了",
            },
        ),
        (
            "１２\u{3000}同　歩(23)",
            KifLine::Ply {
                number: 12,
                rest: "同　歩(23)",
            },
        ),
        ("さて", KifLine::Unknown("さて")),
        ("9999999999 投了", KifLine::Unknown("9999999999 投了")),
    ] {
        assert_eq!(classify(line), expected, "{line}");
    }
}
