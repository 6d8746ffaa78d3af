use super::*;

#[test]
fn utf8_is_taken_for_utf8_and_anything_else_for_shift_jis() {
    for text in ["", "plain", "先手：羽生", "☗ 🐶", "ｶﾅ 〜"] {
        assert_eq!(decode(text.as_bytes()).unwrap(), text);
        let marked = [BOM, text.as_bytes()].concat();
        assert_eq!(decode(&marked).unwrap(), text);
    }
    for text in ["先手：羽生", "表示 ソ 能 十", "ｶﾅ", "①㈱髙﨑"] {
        let bytes = encode(text, Encoding::ShiftJis);
        assert_ne!(&bytes[..], text.as_bytes());
        assert_eq!(decode(&bytes).unwrap(), text);
    }
}

#[test]
fn second_bytes_that_look_like_ascii_are_no_line_ends_and_no_backslashes() {
    let bytes = encode("表示ソ能十\n", Encoding::ShiftJis);
    assert_eq!(bytes.iter().filter(|&&byte| byte == b'\\').count(), 4);
    assert_eq!(bytes.iter().filter(|&&byte| byte == b'\n').count(), 1);
}

#[test]
fn a_broken_character_does_not_turn_the_rest_into_another_script() {
    let utf8 = "先手：羽生 善治 と 大山 康晴\n".as_bytes();
    let broken = [utf8, b"\xff", utf8].concat();
    let text = decode(&broken).unwrap();
    assert!(text.starts_with("先手：羽生"), "{text}");
    assert_eq!(text.chars().filter(|&c| c == '\u{fffd}').count(), 1);

    let shift_jis = encode("先手：羽生 善治 と 大山 康晴\n", Encoding::ShiftJis);
    let broken = [&shift_jis[..], b"\xff\n", &shift_jis].concat();
    assert!(decode(&broken).unwrap().starts_with("先手：羽生"));
}

#[test]
fn what_shift_jis_lacks_is_written_as_its_nearest_relative() {
    let through = |text: &str| {
        decode(&encode(text, Encoding::ShiftJis))
            .unwrap()
            .into_owned()
    };
    assert_eq!(through("☗☖⛊⛉"), "▲△▲△");
    assert_eq!(through("〜−—‖¥100 ‾ ¢£¬"), "～－―∥￥100 ￣ ￠￡￢");
    assert_eq!(through("🐶한é"), "〓〓〓");
    assert_eq!(through(&"🐶".repeat(1000)), "〓".repeat(1000));
}

#[test]
fn utf16_is_refused() {
    assert_eq!(decode(b"\xff\xfe1\0"), Err(Utf16));
    assert_eq!(decode(b"\xfe\xff\x001"), Err(Utf16));
}
