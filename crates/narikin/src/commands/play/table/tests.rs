use rules::{GameRules, Handicap, Position};

use super::*;

/// Plays what it was told to, in this order.
struct Scripted(Vec<BestMove>);

impl Scripted {
    fn moves(text: &str) -> Scripted {
        let moves = text.split_whitespace().rev();
        Scripted(
            moves
                .map(|mv| BestMove::Move(mv.parse().unwrap()))
                .collect(),
        )
    }
}

impl Partner for Scripted {
    fn think(&mut self, game: &Game) -> anyhow::Result<Thought> {
        let best = self.0.pop().expect("a move that was told");
        if let BestMove::Move(mv) = best {
            assert!(game.position().is_legal(mv), "{mv}");
        }
        Ok(Thought {
            best,
            score: Some(Score::Cp(120)),
            line: Vec::new(),
        })
    }
}

fn table(start: Position, human: Color) -> Table {
    Table::new(
        Game::new(start, GameRules::default()),
        human,
        Script::English,
    )
}

fn moves(table: &Table) -> Vec<String> {
    table.game.moves().iter().map(Move::to_string).collect()
}

#[test]
fn moves_are_taken_in_every_notation_and_answered() {
    let mut partner = Scripted::moves("3c3d 8c8d 4a3b 8d8e");
    let mut table = table(Position::startpos(), Color::Black);
    assert!(table.begin(&mut partner).unwrap().ends_with("Your move."));
    for typed in ["7g7f", "P-2f", "２五歩", "▲６八玉"] {
        let text = table.hear(typed, &mut partner).unwrap();
        assert!(
            text.contains("Narikin: ") && text.ends_with("Your move."),
            "{text}"
        );
    }
    assert_eq!(
        moves(&table),
        [
            "7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "4a3b", "5i6h", "8d8e"
        ]
    );
}

#[test]
fn what_is_no_legal_move_changes_nothing_and_says_why() {
    let mut partner = Scripted::moves("");
    let mut table = table(Position::startpos(), Color::Black);
    table.begin(&mut partner).unwrap();
    let text = table.hear("7g7e", &mut partner).unwrap();
    assert!(text.starts_with("7g7e is illegal: "), "{text}");
    let text = table.hear("hello", &mut partner).unwrap();
    assert!(text.contains("type help"), "{text}");
    assert!(table.hear("", &mut partner).unwrap().is_empty());
    assert!(table.game.moves().is_empty());
}

#[test]
fn a_move_is_taken_back_with_its_answer() {
    let mut partner = Scripted::moves("3c3d 8c8d");
    let mut table = table(Position::startpos(), Color::Black);
    table.begin(&mut partner).unwrap();
    let text = table.hear("undo", &mut partner).unwrap();
    assert_eq!(text, "There is no move of yours to take back.");
    table.hear("7g7f", &mut partner).unwrap();
    table.hear("2g2f", &mut partner).unwrap();
    table.hear("undo", &mut partner).unwrap();
    assert_eq!(moves(&table), ["7g7f", "3c3d"]);
    table.hear("undo", &mut partner).unwrap();
    assert!(moves(&table).is_empty());
}

#[test]
fn the_partner_begins_a_handicap_game_and_that_move_cannot_be_taken_back() {
    let mut partner = Scripted::moves("5a4b");
    let mut table = table(Handicap::TwoPiece.position(), Color::Black);
    let text = table.begin(&mut partner).unwrap();
    assert!(text.contains("Narikin: K-4b [5a4b]  (+1.2)"), "{text}");
    let text = table.hear("undo", &mut partner).unwrap();
    assert_eq!(text, "There is no move of yours to take back.");
}

#[test]
fn a_hint_plays_nothing() {
    let mut partner = Scripted::moves("2g2f");
    let mut table = table(Position::startpos(), Color::Black);
    table.begin(&mut partner).unwrap();
    let text = table.hear("hint", &mut partner).unwrap();
    assert_eq!(text, "Narikin would play P-2f [2g2f]  (+1.2)");
    assert!(table.game.moves().is_empty());
}

#[test]
fn a_mate_ends_the_game_and_can_be_taken_back() {
    let start = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    let mut partner = Scripted::moves("");
    let mut table = table(start, Color::Black);
    table.begin(&mut partner).unwrap();
    let text = table.hear("G*5b", &mut partner).unwrap();
    assert!(text.ends_with("You have won (checkmate)."), "{text}");
    let text = table.hear("5c5b", &mut partner).unwrap();
    assert!(text.starts_with("The game is over"), "{text}");
    let text = table.hear("undo", &mut partner).unwrap();
    assert!(text.ends_with("Your move."), "{text}");
    assert!(table.game.moves().is_empty());
}

#[test]
fn both_can_resign_and_only_a_right_declaration_wins() {
    let mut table_1 = table(Position::startpos(), Color::Black);
    let mut partner = Scripted(vec![BestMove::Resign]);
    let text = table_1.hear("win", &mut partner).unwrap();
    assert!(text.starts_with("You cannot declare yet"), "{text}");
    let text = table_1.hear("7g7f", &mut partner).unwrap();
    assert!(text.ends_with("You have won (resignation)."), "{text}");
    let mut table_2 = table(Position::startpos(), Color::Black);
    let text = table_2.hear("resign", &mut partner).unwrap();
    assert_eq!(text, "Narikin has won (resignation).");
    let declare = "+R+P1+P5/1K+B+P+P4/+P+P+P+P5/9/9/9/9/9/4k4 b RB10P4g4s4n4l 1";
    let mut table_3 = table(Position::from_sfen(declare).unwrap(), Color::Black);
    let text = table_3.hear("win", &mut partner).unwrap();
    assert_eq!(text, "You have won (declaration).");
}

#[test]
fn help_moves_board_and_quit_are_understood() {
    let mut partner = Scripted::moves("");
    let mut table = table(Position::startpos(), Color::Black);
    assert_eq!(table.hear("help", &mut partner).unwrap(), HELP);
    let text = table.hear("moves", &mut partner).unwrap();
    assert_eq!(text.split("  ").count(), 30, "{text}");
    assert!(
        table
            .hear("board", &mut partner)
            .unwrap()
            .contains("Black in hand")
    );
    assert!(!table.is_left());
    table.hear("quit", &mut partner).unwrap();
    assert!(table.is_left());
}
