use super::*;

#[test]
fn every_code_that_is_known_has_one_meaning() {
    for reason in EndReason::ALL {
        assert_eq!(reason_of(reason_code(reason)), Some(reason));
    }
    let known = (0..=u8::MAX).filter(|&code| reason_of(code).is_some());
    assert_eq!(known.count(), EndReason::ALL.len());
    for code in 0..=u8::MAX {
        if let Some(rules) = RuleCode::from_byte(code) {
            assert_eq!(rules.byte(), code);
        }
    }
    let known = (0..=u8::MAX).filter(|&code| RuleCode::from_byte(code).is_some());
    assert_eq!(known.count(), 4 * 2 * 2);
}

#[test]
fn the_codes_of_the_first_games_keep_their_meaning() {
    let first = [
        "checkmate",
        "no-moves",
        "repetition",
        "perpetual-check",
        "declaration",
        "failed-declaration",
        "ply-limit",
        "resignation",
        "time-forfeit",
        "illegal-move",
    ];
    for (code, name) in (0..).zip(first) {
        assert_eq!(reason_of(code).map(EndReason::as_str), Some(name));
    }
    let plain = |declaration| RuleCode {
        declaration,
        credit_handicap: true,
        max_ply_style: PlyLimitStyle::Plain,
    };
    assert_eq!(plain(DeclarationRule::None).byte(), 0);
    assert_eq!(plain(DeclarationRule::Points27).byte(), 1);
}
