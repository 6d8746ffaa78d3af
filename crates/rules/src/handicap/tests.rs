use crate::{Color, Handicap, Position, perft};

const PERFT: &str = include_str!("../../testdata/perft.tsv");

#[test]
fn every_handicap_is_found_again_from_its_position_names_and_key() {
    for handicap in Handicap::ALL {
        let position = handicap.position();
        assert_eq!(position.side_to_move(), handicap.first_to_move());
        assert_eq!(position.ply(), 0);
        assert_eq!(Handicap::of(&position), Some(handicap));
        assert_eq!(handicap.key().parse(), Ok(handicap));
        let name = handicap.name_japanese();
        assert_eq!(Handicap::from_japanese(name), Some(handicap));
        assert_eq!(
            Handicap::from_japanese(&format!("{name}　　")),
            Some(handicap)
        );
    }
}

/// The handicap rows of the perft table by their names there.
#[test]
fn the_starts_are_those_of_other_generators() {
    let names = [
        ("hirate", Handicap::Even),
        ("hc_lance", Handicap::LanceLeft),
        ("hc_rlance", Handicap::LanceRight),
        ("hc_rook", Handicap::Rook),
        ("hc_rooklance", Handicap::RookLance),
        ("hc_2", Handicap::TwoPiece),
        ("hc_3", Handicap::ThreePiece),
        ("hc_4", Handicap::FourPiece),
        ("hc_6", Handicap::SixPiece),
        ("hc_8", Handicap::EightPiece),
        ("hc_10", Handicap::TenPiece),
        ("hc_19", Handicap::NakedKing),
        ("hc_3p", Handicap::ThreePawns),
    ];
    for (name, handicap) in names {
        let rows = PERFT.lines().skip(1).map(|line| line.split('\t').collect());
        let rows: Vec<Vec<&str>> = rows
            .filter(|fields: &Vec<&str>| fields[3].starts_with(&format!("{name}:")))
            .collect();
        assert!(rows.len() >= 3, "{name}");
        for fields in rows {
            let mut position = handicap.position();
            assert_eq!(fields[0], position.to_string(), "{name}");
            let (depth, nodes) = (fields[1].parse().unwrap(), fields[2].parse().unwrap());
            if nodes < 1_000_000 {
                assert_eq!(perft(&mut position, depth), nodes, "{name} depth {depth}");
            }
        }
    }
}

#[test]
fn what_is_given_away_is_what_the_name_says() {
    let given = |handicap: Handicap| {
        let position = handicap.position();
        let pieces = position.occupied_by(Color::White).len();
        let in_hand: u32 = position.hand(Color::White).iter().map(|(_, n)| n).sum();
        20 - pieces - in_hand
    };
    let counts: Vec<u32> = Handicap::ALL.into_iter().map(given).collect();
    assert_eq!(
        counts,
        [
            0, 1, 1, 1, 1, 2, 2, 3, 4, 5, 5, 6, 7, 7, 8, 9, 9, 10, 16, 19
        ]
    );
    for handicap in Handicap::ALL {
        let black = handicap.position();
        assert_eq!(black.occupied_by(Color::Black).len(), 20);
        assert!(black.hand(Color::Black).is_empty());
    }
    assert_eq!(
        Handicap::FivePieceLeft.position().to_string(),
        "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    );
    assert_eq!(
        Handicap::SevenPieceLeft.position().to_string(),
        "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    );
}

#[test]
fn the_ply_does_not_matter_but_side_and_hands_do() {
    let two = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    let of = |rest: &str| Handicap::of(&Position::from_sfen(&format!("{two} {rest}")).unwrap());
    assert_eq!(of("w - 7"), Some(Handicap::TwoPiece));
    assert_eq!(of("b - 1"), None);
    assert_eq!(of("w R 1"), None);
}

#[test]
fn other_spellings_of_japanese_names_are_known() {
    for (name, handicap) in [
        ("平手　　", Handicap::Even),
        ("飛落ち", Handicap::Rook),
        ("左香落ち", Handicap::LanceLeft),
        ("２枚落ち", Handicap::TwoPiece),
        ("2枚落", Handicap::TwoPiece),
        ("10枚落ち", Handicap::TenPiece),
        ("１０枚落ち", Handicap::TenPiece),
        ("十九枚落ち", Handicap::NakedKing),
        ("19枚落ち", Handicap::NakedKing),
        ("左7枚落ち", Handicap::SevenPieceLeft),
    ] {
        assert_eq!(Handicap::from_japanese(name), Some(handicap), "{name}");
    }
    for name in [
        "",
        "その他",
        "詰将棋",
        "二十枚落ち",
        "枚落ち",
        "左右五枚落ち",
        "落ち",
    ] {
        assert_eq!(Handicap::from_japanese(name), None, "{name}");
    }
}

#[test]
fn an_unknown_key_is_refused_with_all_keys() {
    let message = "rooks".parse::<Handicap>().unwrap_err().to_string();
    assert!(
        message.starts_with("handicap \"rooks\": expected one of even, lance-left, "),
        "{message}"
    );
    assert!(
        message.ends_with("ten-piece, three-pawns, naked-king"),
        "{message}"
    );
}
