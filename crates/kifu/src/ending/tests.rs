use rules::IllegalReason;

use super::*;

#[test]
fn each_outcome_is_written_so_that_its_winner_is_read() {
    for reason in EndReason::ALL {
        for side in Color::ALL {
            for winner in Color::ALL {
                let ending = Ending::of(Outcome::win(winner, reason), side);
                assert_eq!(ending.result(side), GameResult::Win(winner), "{reason:?}");
            }
            let ending = Ending::of(Outcome::draw(reason), side);
            assert_eq!(ending.result(side), GameResult::Draw, "{reason:?}");
        }
    }
}

#[test]
fn reasons_that_files_know_keep_their_names() {
    let (black, white) = (Color::Black, Color::White);
    let lost = |reason| Ending::of(Outcome::win(white, reason), black);
    assert_eq!(lost(EndReason::Resignation), Ending::Resign);
    assert_eq!(lost(EndReason::TimeForfeit), Ending::TimeUp);
    assert_eq!(lost(EndReason::Checkmate), Ending::Mate);
    assert_eq!(lost(EndReason::NoMoves), Ending::Mate);
    assert_eq!(lost(EndReason::FailedDeclaration), Ending::Foul(black));
    assert_eq!(lost(EndReason::PerpetualCheck), Ending::Foul(black));
    assert_eq!(
        lost(EndReason::Foul(IllegalReason::TwoPawns)),
        Ending::Foul(black)
    );
    assert_eq!(lost(EndReason::Forfeit), Ending::DefaultLoss);
    let won = |reason| Ending::of(Outcome::win(black, reason), black);
    assert_eq!(won(EndReason::Declaration), Ending::Declaration);
    assert_eq!(won(EndReason::Forfeit), Ending::DefaultWin);
    // A side that resigns or runs out of time while the other is to move has no word of its own.
    assert_eq!(won(EndReason::Resignation), Ending::Foul(white));
    let drawn = |reason| Ending::of(Outcome::draw(reason), black);
    assert_eq!(drawn(EndReason::Repetition), Ending::Repetition);
    assert_eq!(drawn(EndReason::PlyLimit), Ending::MaxMoves);
    assert_eq!(drawn(EndReason::Impasse), Ending::Impasse);
    assert_eq!(drawn(EndReason::Agreement), Ending::Draw);
}

#[test]
fn all_endings_are_listed_once() {
    for (idx, ending) in Ending::ALL.iter().enumerate() {
        assert!(!Ending::ALL[..idx].contains(ending), "{ending:?}");
    }
}
