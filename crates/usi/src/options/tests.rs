use search::LeafMate;

use super::*;

#[track_caller]
fn check_refused(name: &str, value: &str, message: &str) {
    let mut settings = Settings::default();
    let error = settings.set(name, value).unwrap_err();
    assert_eq!(error.to_string(), message);
    assert_eq!(settings, Settings::default());
}

#[test]
fn every_announced_option_takes_its_own_default() {
    let mut settings = Settings::default();
    for line in settings.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[..2], ["option", "name"], "{line}");
        assert_eq!((words[3], words[5]), ("type", "default"), "{line}");
        let value = if words[6] == "<empty>" { "" } else { words[6] };
        settings.set(words[2], value).unwrap();
    }
    assert_eq!(settings, Settings::default());
}

#[test]
fn option_lines_have_the_exact_form_that_guis_split() {
    let lines = Settings::default().lines();
    for expected in [
        "option name USI_Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 100",
        "option name DNN_Model type filename default <empty>",
        "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing \
         var CSARule24 var CSARule24H var CSARule27 var CSARule27H var TryRule",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}");
    }
    assert!(!lines.iter().any(|line| line.contains("Draw_Ply")));
}

#[test]
fn impossible_values_are_refused_and_change_nothing() {
    check_refused("NoSuch", "1", r#"no option "NoSuch""#);
    let range = "option USI_Hash: expected a number from 1 to 1048576, found";
    for value in ["", "abc", "-5", "0", "99999999999999999999", "1.5"] {
        check_refused("usi_hash", value, &format!("{range} {value:?}"));
    }
    check_refused(
        "USI_Ponder",
        "perhaps",
        r#"option USI_Ponder: expected true or false, found "perhaps""#,
    );
    check_refused(
        "EnteringKingRule",
        "CSARule25",
        r#"option EnteringKingRule: expected NoEnteringKing or CSARule24 or CSARule24H or CSARule27 or CSARule27H or TryRule, found "CSARule25""#,
    );
}

#[test]
fn every_entering_king_rule_has_a_name() {
    for (name, rule, credit) in [
        ("NoEnteringKing", DeclarationRule::None, false),
        ("csarule24", DeclarationRule::Points24, false),
        ("CSARule24H", DeclarationRule::Points24, true),
        ("CSARule27", DeclarationRule::Points27, false),
        ("CSARule27H", DeclarationRule::Points27, true),
        ("TryRule", DeclarationRule::Try, false),
    ] {
        let mut settings = Settings::default();
        settings.set("EnteringKingRule", name).unwrap();
        let rules = settings.rules();
        assert_eq!((rules.declaration, rules.credit_handicap), (rule, credit));
        let lines = settings.lines();
        let line = lines.iter().find(|line| line.contains("EnteringKingRule"));
        let default = line.unwrap().split(' ').nth(6).unwrap();
        assert!(default.eq_ignore_ascii_case(name), "{default}");
    }
}

#[test]
fn draw_ply_is_another_name_for_max_moves_to_draw() {
    let mut settings = Settings::default();
    assert_eq!(settings.rules().max_ply, None);
    settings.set("Draw_Ply", "320").unwrap();
    assert_eq!(settings.rules().max_ply, Some(320));
    settings.set("MaxMovesToDraw", "0").unwrap();
    assert_eq!(settings.rules().max_ply, None);
}

#[test]
fn draw_values_run_from_minus_one_to_one_for_the_side_that_thinks() {
    let mut settings = Settings::default();
    assert_eq!(settings.search(Color::Black, 1).draw_value, 0.0);
    settings.set("Draw_Value_Black", "0").unwrap();
    settings.set("Draw_Value_White", "1000").unwrap();
    assert_eq!(settings.search(Color::Black, 1).draw_value, -1.0);
    assert_eq!(settings.search(Color::White, 1).draw_value, 1.0);
}

#[test]
fn mates_at_new_nodes_are_looked_for_as_far_as_the_option_says() {
    let mut settings = Settings::default();
    for (plies, leaf_mate) in [
        ("0", LeafMate::None),
        ("1", LeafMate::One),
        ("3", LeafMate::Three),
    ] {
        settings.set("LeafMatePlies", plies).unwrap();
        assert_eq!(settings.search(Color::Black, 1).leaf_mate, leaf_mate);
    }
}

#[test]
fn every_setting_in_range_is_one_that_the_search_takes() {
    for pick in [3, 5] {
        let mut settings = Settings::default();
        for line in settings.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            if words[4] == "spin" {
                // `… min A max B`
                settings.set(words[2], words[5 + pick]).unwrap();
            }
        }
        settings.search(Color::Black, 1).check().unwrap();
    }
}

#[test]
fn every_rule_for_entered_kings_has_its_name() {
    let name = |declaration, credit_handicap| {
        entering_king_rule(GameRules {
            declaration,
            credit_handicap,
            ..GameRules::default()
        })
    };
    for credit in [false, true] {
        assert_eq!(name(DeclarationRule::None, credit), "NoEnteringKing");
        assert_eq!(name(DeclarationRule::Try, credit), "TryRule");
    }
    assert_eq!(name(DeclarationRule::Points27, false), "CSARule27");
    assert_eq!(name(DeclarationRule::Points27, true), "CSARule27H");
    assert_eq!(name(DeclarationRule::Points24, true), "CSARule24H");
}
