use super::*;

fn option(line: &str) -> (String, String) {
    match Command::parse(line) {
        Some(Command::SetOption { name, value }) => (name, value),
        other => panic!("{line:?} was read as {other:?}"),
    }
}

#[test]
fn plain_commands_are_read_with_any_blanks_and_line_ends() {
    assert_eq!(Command::parse("usi"), Some(Command::Usi));
    assert_eq!(Command::parse("  isready \r\n"), Some(Command::IsReady));
    assert_eq!(Command::parse("stop\t"), Some(Command::Stop));
    assert_eq!(Command::parse("gameover"), Some(Command::GameOver));
    assert_eq!(Command::parse("gameover lose"), Some(Command::GameOver));
    assert_eq!(Command::parse("quit\r"), Some(Command::Quit));
}

#[test]
fn unknown_words_and_empty_lines_are_no_commands() {
    for line in [
        "",
        "   ",
        "xyzzy",
        "joho debug on",
        "go-fish",
        "USI",
        "\u{fffd}\u{0}",
    ] {
        assert_eq!(Command::parse(line), None, "{line:?}");
    }
}

#[test]
fn option_values_keep_their_blanks() {
    let (name, value) = option("setoption name DNN_Model value C:/my nets/a  b.onnx ");
    assert_eq!(name, "DNN_Model");
    assert_eq!(value, "C:/my nets/a  b.onnx");
}

#[test]
fn missing_and_empty_option_values_are_the_empty_string() {
    for line in [
        "setoption name DNN_Model",
        "setoption name DNN_Model value",
        "setoption name DNN_Model value ",
        "setoption   name  DNN_Model   value  <empty>",
    ] {
        assert_eq!(
            option(line),
            ("DNN_Model".to_owned(), String::new()),
            "{line}"
        );
    }
}

#[test]
fn setoption_without_a_name_names_nothing() {
    for line in ["setoption", "setoption name", "setoption value 3"] {
        assert_eq!(option(line).0, "", "{line}");
    }
}

#[test]
fn go_mate_asks_for_a_mate_in_milliseconds_or_without_limit() {
    for (line, limit) in [
        ("go mate", None),
        ("go mate infinite", None),
        ("go mate 3000", Some(3000)),
        ("go   mate\t-5", Some(0)),
        ("go mate abc", None),
    ] {
        let limit = limit.map(Duration::from_millis);
        let expected = Some(Command::Go(Go::Mate(limit)));
        assert_eq!(Command::parse(line), expected, "{line}");
    }
}
