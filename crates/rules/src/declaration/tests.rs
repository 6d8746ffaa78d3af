use super::*;
use crate::GameRules;

fn game_under(declaration: DeclarationRule, text: &str) -> Game {
    let rules = GameRules {
        declaration,
        max_ply: None,
        ..GameRules::default()
    };
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let mut game = Game::new(Position::from_sfen(start).unwrap(), rules);
    for mv in moves.split_whitespace() {
        game.play(mv.parse().unwrap()).unwrap();
    }
    game
}

#[track_caller]
fn check(rule: DeclarationRule, sfen: &str, expected: Declaration, outcome: Outcome) {
    let game = game_under(rule, sfen);
    assert_eq!(game.declaration(), expected, "{sfen}");
    assert_eq!(game.declare(), outcome, "{sfen}");
    assert_eq!(game.outcome(), None, "{sfen}");
}

const ENTERED: &str = "K+R+R+B+B4/GGGSSS3/9/9/9/9/9/9/4k4 b";

#[test]
fn twenty_seven_points_win_or_lose() {
    let rule = DeclarationRule::Points27;
    let lost = Outcome::win(Color::White, EndReason::FailedDeclaration);
    let won = Outcome::win(Color::Black, EndReason::Declaration);
    check(rule, &format!("{ENTERED} P 1"), Declaration::No, lost);
    check(rule, &format!("{ENTERED} 2P 1"), Declaration::Win, won);
}

#[test]
fn twenty_four_points_draw_and_thirty_one_win() {
    let rule = DeclarationRule::Points24;
    let few = "K+R+R+B5/GGGSSS1P1/9/9/9/9/9/9/4k4 b P 1";
    let lost = Outcome::win(Color::White, EndReason::FailedDeclaration);
    let drawn = Outcome::draw(EndReason::DeclaredDraw);
    let won = Outcome::win(Color::Black, EndReason::Declaration);
    check(rule, few, Declaration::No, lost);
    check(rule, &format!("{ENTERED} - 1"), Declaration::Draw, drawn);
    check(rule, &format!("{ENTERED} 4P 1"), Declaration::Draw, drawn);
    check(rule, &format!("{ENTERED} 5P 1"), Declaration::Win, won);
}

#[test]
fn without_a_rule_and_under_the_try_rule_nothing_is_declared() {
    let lost = Outcome::win(Color::White, EndReason::FailedDeclaration);
    for rule in [DeclarationRule::None, DeclarationRule::Try] {
        check(rule, &format!("{ENTERED} 5P 1"), Declaration::No, lost);
    }
}

#[test]
fn nobody_declares_in_check() {
    let shielded = "K+R+R+B+B4/G1GSSSG2/9/9/9/9/9/r8/4k4 b 5P 1";
    let checked = "K+R+R+B+B4/1GGSSSG2/9/9/9/9/9/r8/4k4 b 5P 1";
    for rule in [DeclarationRule::Points24, DeclarationRule::Points27] {
        let verdict = |sfen| game_under(rule, sfen).declaration();
        assert_eq!(verdict(shielded), Declaration::Win);
        assert_eq!(verdict(checked), Declaration::No);
    }
}

#[test]
fn a_try_ends_the_game_when_it_is_made() {
    let before = "3k5/9/4K4/9/9/9/9/9/9 b - 1";
    let text = format!("{before} moves 5c4b 6a7a");
    let game = game_under(DeclarationRule::Try, &text);
    let mv = "4b5a".parse().unwrap();
    assert_eq!((game.try_move(), game.outcome()), (Some(mv), None));

    let mut tried = game.clone();
    tried.play(mv).unwrap();
    let won = Outcome::win(Color::Black, EndReason::Try);
    assert_eq!(tried.outcome(), Some(won));

    let other = game_under(DeclarationRule::Points27, &format!("{text} 4b5a"));
    assert_eq!((other.try_move(), other.outcome()), (None, None));
}

#[test]
fn white_tries_too() {
    let text = "K8/9/9/9/9/9/9/4k4/9 w - 1 moves 5h5i";
    let won = Outcome::win(Color::White, EndReason::Try);
    assert_eq!(game_under(DeclarationRule::Try, text).outcome(), Some(won));
}

#[test]
fn only_a_king_that_moves_there_makes_a_try() {
    // It stands there from the start; another piece arrives; it is somebody else's goal.
    for text in [
        "4K4/9/9/9/9/9/9/9/k8 w - 1",
        "9/4GK3/9/9/9/9/9/9/k8 b - 1 moves 5b5a",
        "9/9/9/9/9/9/9/4K4/k8 b - 1 moves 5h5i",
        "4K4/9/9/9/9/9/9/9/k8 w - 1 moves 9i8i",
    ] {
        assert_eq!(
            game_under(DeclarationRule::Try, text).outcome(),
            None,
            "{text}"
        );
    }
}

#[test]
fn a_king_cannot_try_where_it_could_be_taken() {
    let guarded = "3g5/4K4/9/9/9/9/9/9/k8 b - 1";
    assert_eq!(game_under(DeclarationRule::Try, guarded).try_move(), None);
}

#[test]
fn an_agreed_count_takes_twenty_four_points_of_each_side() {
    // Black has rook, bishop and all of its own but three pawns: 24 points.
    let even = "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L6Prb2g2s2n2l12p 1";
    let game = game_under(DeclarationRule::None, even);
    assert_eq!(Color::ALL.map(|color| game.impasse_points(color)), [24, 30]);
    assert_eq!(game.impasse(), Outcome::draw(EndReason::Impasse));
    let short = "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L5Prb2g2s2n2l13p 1";
    let lost = Outcome::win(Color::White, EndReason::Impasse);
    assert_eq!(game_under(DeclarationRule::None, short).impasse(), lost);
    let missing = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let drawn = Outcome::draw(EndReason::Impasse);
    assert_eq!(game_under(DeclarationRule::None, missing).impasse(), drawn);
}

#[test]
fn an_agreed_count_takes_pieces_anywhere_on_the_board() {
    let start = Game::new(Position::startpos(), GameRules::default());
    assert_eq!(
        Color::ALL.map(|color| start.impasse_points(color)),
        [27, 27]
    );
    assert_eq!(
        Color::ALL.map(|color| start.declaration_points(color)),
        [0, 0]
    );
}

/// Points that Black and White gave if this is the start of a game.
#[track_caller]
fn check_given(sfen: &str, expected: [u32; 2]) {
    let position = Position::from_sfen(sfen).unwrap();
    let found = Color::ALL.map(|color| position.handicap_points(color));
    assert_eq!(found, expected, "{sfen}");
    let game = Game::new(position, GameRules::default());
    assert_eq!(Color::ALL.map(|color| game.given_points(color)), expected);
}

#[test]
fn the_start_of_a_handicap_game_tells_what_was_given() {
    const BLACK: &str = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    for (white, points) in [
        ("lnsgkgsnl/1r5b1", 0),
        ("lnsgkgsn1/1r5b1", 1),
        ("1nsgkgsnl/1r5b1", 1),
        ("lnsgkgsnl/1r7", 5),
        ("lnsgkgsnl/7b1", 5),
        ("lnsgkgsn1/7b1", 6),
        ("lnsgkgsnl/9", 10),
        ("1nsgkgsn1/9", 12),
        ("2sgkgs2/9", 14),
        ("3gkg3/9", 16),
        ("4k4/9", 18),
    ] {
        check_given(&format!("{white}/{BLACK}"), [0, points]);
    }
    // A bare king, and a bare king with three pawns in hand.
    let rest = "9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w";
    check_given(&format!("4k4/{rest} - 1"), [0, 27]);
    check_given(&format!("4k4/{rest} 3p 1"), [0, 24]);
}

#[test]
fn black_can_give_a_handicap_too() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b - 1";
    check_given(sfen, [10, 0]);
}

#[test]
fn a_fragment_of_a_game_is_no_handicap() {
    for sfen in [
        // The missing pieces are in a hand, moved, or gone from both sides.
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB 1",
        "lnsgkgsnl/9/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL w - 1",
        "4K4/9/9/9/9/9/3gggg2/3ssss2/3+p+p3k w RB4N4L9P7p 1",
        "lnsg1gsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        // More in hand than is missing.
        "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3r 1",
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",
    ] {
        check_given(sfen, [0, 0]);
    }
}

#[test]
fn given_points_count_only_by_a_rule_that_credits_them() {
    let start = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let points = |credit_handicap| {
        let rules = GameRules {
            credit_handicap,
            ..GameRules::default()
        };
        let game = Game::new(Position::from_sfen(start).unwrap(), rules);
        [
            game.declaration_points(Color::White),
            game.impasse_points(Color::White),
        ]
    };
    assert_eq!(points(true), [10, 27]);
    assert_eq!(points(false), [0, 17]);
}

#[test]
fn rules_read_back_by_their_names() {
    for rule in DeclarationRule::ALL {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    assert_eq!(
        "28".parse::<DeclarationRule>().unwrap_err().to_string(),
        "declaration rule \"28\": expected 27, 24, try or none"
    );
    for style in crate::PlyLimitStyle::ALL {
        assert_eq!(style.to_string().parse(), Ok(style));
    }
    assert_eq!(
        "JSA"
            .parse::<crate::PlyLimitStyle>()
            .unwrap_err()
            .to_string(),
        "ply limit style \"JSA\": expected plain or jsa"
    );
}
