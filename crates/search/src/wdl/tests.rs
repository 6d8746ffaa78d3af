use rules::{Color, EndReason, Outcome};

use super::Wdl;

const LEANING: Wdl = Wdl {
    win: 0.5,
    draw: 0.3,
    loss: 0.2,
};

#[test]
fn flipping_swaps_win_and_loss_and_negates_q() {
    assert_eq!(
        LEANING.flipped(),
        Wdl {
            win: 0.2,
            draw: 0.3,
            loss: 0.5
        }
    );
    assert_eq!(LEANING.flipped().q(), -LEANING.q());
    assert_eq!(LEANING.flipped().flipped(), LEANING);
}

#[test]
fn the_other_color_sees_the_flipped_value() {
    assert_eq!(LEANING.for_color(Color::White, Color::White), LEANING);
    assert_eq!(
        LEANING.for_color(Color::White, Color::Black),
        LEANING.flipped()
    );
}

#[test]
fn a_draw_is_q_zero_and_half_a_point() {
    assert_eq!(Wdl::DRAW.q(), 0.0);
    assert_eq!(Wdl::DRAW.expected(), 0.5);
    assert_eq!(Wdl::EVEN.expected(), 0.5);
}

#[test]
fn the_winner_of_an_outcome_sees_a_win() {
    let outcome = Outcome {
        winner: Some(Color::White),
        reason: EndReason::Checkmate,
    };
    assert_eq!(Wdl::from_outcome(&outcome, Color::White), Wdl::WIN);
    assert_eq!(Wdl::from_outcome(&outcome, Color::Black), Wdl::LOSS);
    let drawn = Outcome {
        winner: None,
        reason: EndReason::Repetition,
    };
    assert_eq!(Wdl::from_outcome(&drawn, Color::Black), Wdl::DRAW);
}

#[test]
fn only_three_probabilities_that_sum_to_one_are_accepted() {
    assert!(LEANING.is_probability());
    assert!(
        Wdl {
            win: 0.5,
            draw: 0.0,
            loss: 0.5005
        }
        .is_probability()
    );
    assert!(
        !Wdl {
            win: 0.5,
            draw: 0.0,
            loss: 0.49
        }
        .is_probability()
    );
    assert!(
        !Wdl {
            win: 1.2,
            draw: 0.0,
            loss: -0.2
        }
        .is_probability()
    );
    assert!(
        !Wdl {
            win: f32::NAN,
            draw: 0.0,
            loss: 1.0
        }
        .is_probability()
    );
}
