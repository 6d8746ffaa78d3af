use super::*;

/// What is read where `word` is followed by the line that says it exactly.
fn refined(word: Ending, exact: Option<&str>, side: Color) -> Ending {
    let line = exact.map(exact_line);
    let exact = line
        .as_deref()
        .map(|line| split_exact(&line[1..]).expect(line));
    exact.map_or(word, |exact| exact_ending(word, exact, side).expect(exact))
}

#[test]
fn each_sentence_is_read_as_what_it_was_written_for() {
    for ending in Ending::ALL {
        for side in Color::ALL {
            for handicap in [false, true] {
                let text = summary(ending, side, 16, handicap);
                let behind = text
                    .strip_prefix("まで")
                    .expect("sentences begin with まで");
                let read = read_summary(behind, side).expect(&text);
                assert_eq!(
                    refined(read, words(ending, side).exact, side),
                    ending,
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn each_word_tells_the_ending() {
    for ending in Ending::ALL {
        for side in Color::ALL {
            let Words { plain, exact } = words(ending, side);
            let read = super::ending(plain, side).expect(plain);
            assert_eq!(refined(read, exact, side), ending);
        }
    }
}

#[test]
fn an_exact_word_does_not_contradict_the_one_before_it() {
    let black = Color::Black;
    assert_eq!(
        exact_ending(Ending::Impasse, "最大手数", black),
        Some(Ending::MaxMoves)
    );
    assert_eq!(exact_ending(Ending::Resign, "最大手数", black), None);
    assert_eq!(exact_ending(Ending::Impasse, "投了", black), None);
    assert_eq!(exact_ending(Ending::Impasse, "?", black), None);
}

#[test]
fn sentences_are_read_as_people_write_them() {
    let (black, white) = (Color::Black, Color::White);
    for (text, side, expected) in [
        ("16手で後手の勝ち", black, Some(Ending::Resign)),
        ("、16手で後手の勝ち", black, Some(Ending::Resign)),
        ("111手で下手の勝ち", white, Some(Ending::Resign)),
        ("4手で時間切れにより後手の勝ち", black, Some(Ending::TimeUp)),
        ("27手で後手の勝ち", white, Some(Ending::Foul(black))),
        ("27手で先手の反則負け", white, Some(Ending::Foul(black))),
        (
            "27手で反則により後手の勝ち",
            black,
            Some(Ending::Foul(black)),
        ),
        ("0手で後手の入玉勝ち", white, Some(Ending::Declaration)),
        ("1手で詰", white, Some(Ending::Mate)),
        ("7手で中断", white, Some(Ending::Interrupt)),
        ("256手で最大手数", black, Some(Ending::MaxMoves)),
        ("256手で持将棋", black, Some(Ending::Impasse)),
        ("0手で先手の不戦敗", black, Some(Ending::DefaultLoss)),
        ("0手で先手の不戦敗", white, Some(Ending::DefaultWin)),
        ("16手でおしまい", black, None),
        ("", black, None),
        ("（）", black, None),
    ] {
        assert_eq!(read_summary(text, side), expected, "{text}");
    }
}
