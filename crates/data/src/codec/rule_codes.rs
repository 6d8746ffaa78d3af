//! The codes of rules and of ends of games. A code never changes its meaning; new ones may be added,
//! and a build that does not know them refuses the game.

use rules::{DeclarationRule, EndReason, GameRules, IllegalReason, PlyLimitStyle};

/// Set where points given at the start are not credited.
const NO_CREDIT: u8 = 16;
/// Set where checks prolong a game beyond its ply limit.
const JSA_LIMIT: u8 = 32;
/// The first code of a foul.
const FIRST_FOUL: u8 = 32;

/// What one byte says of a game's rules: all but the ply limit itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RuleCode {
    pub(super) declaration: DeclarationRule,
    pub(super) credit_handicap: bool,
    pub(super) max_ply_style: PlyLimitStyle,
}

impl RuleCode {
    pub(super) fn of(rules: &GameRules) -> RuleCode {
        let &GameRules {
            declaration,
            credit_handicap,
            max_ply: _,
            max_ply_style,
        } = rules;
        RuleCode {
            declaration,
            credit_handicap,
            max_ply_style,
        }
    }

    pub(super) fn byte(self) -> u8 {
        let declaration = match self.declaration {
            DeclarationRule::None => 0,
            DeclarationRule::Points27 => 1,
            DeclarationRule::Points24 => 2,
            DeclarationRule::Try => 3,
        };
        let credit = if self.credit_handicap { 0 } else { NO_CREDIT };
        let style = match self.max_ply_style {
            PlyLimitStyle::Plain => 0,
            PlyLimitStyle::Jsa => JSA_LIMIT,
        };
        declaration | credit | style
    }

    pub(super) fn from_byte(code: u8) -> Option<RuleCode> {
        let declaration = match code & !(NO_CREDIT | JSA_LIMIT) {
            0 => DeclarationRule::None,
            1 => DeclarationRule::Points27,
            2 => DeclarationRule::Points24,
            3 => DeclarationRule::Try,
            _ => return None,
        };
        Some(RuleCode {
            declaration,
            credit_handicap: code & NO_CREDIT == 0,
            max_ply_style: if code & JSA_LIMIT == 0 {
                PlyLimitStyle::Plain
            } else {
                PlyLimitStyle::Jsa
            },
        })
    }
}

pub(super) fn reason_code(reason: EndReason) -> u8 {
    match reason {
        EndReason::Checkmate => 0,
        EndReason::NoMoves => 1,
        EndReason::Repetition => 2,
        EndReason::PerpetualCheck => 3,
        EndReason::Declaration => 4,
        EndReason::FailedDeclaration => 5,
        EndReason::PlyLimit => 6,
        EndReason::Resignation => 7,
        EndReason::TimeForfeit => 8,
        EndReason::IllegalMove => 9,
        EndReason::DeclaredDraw => 10,
        EndReason::Try => 11,
        EndReason::Impasse => 12,
        EndReason::Agreement => 13,
        EndReason::Forfeit => 14,
        EndReason::Foul(reason) => FIRST_FOUL + foul_code(reason),
    }
}

fn foul_code(reason: IllegalReason) -> u8 {
    match reason {
        IllegalReason::EmptyOrigin => 0,
        IllegalReason::WrongTurn => 1,
        IllegalReason::OntoOwnPiece => 2,
        IllegalReason::WrongMovement => 3,
        IllegalReason::BlockedPath => 4,
        IllegalReason::CannotPromote => 5,
        IllegalReason::PromotionOutsideZone => 6,
        IllegalReason::DeadPiece => 7,
        IllegalReason::NotInHand => 8,
        IllegalReason::DropOntoPiece => 9,
        IllegalReason::TwoPawns => 10,
        IllegalReason::LeftInCheck => 11,
        IllegalReason::PawnDropMate => 12,
    }
}

pub(super) fn reason_of(code: u8) -> Option<EndReason> {
    EndReason::ALL
        .into_iter()
        .find(|&reason| reason_code(reason) == code)
}

#[cfg(test)]
mod tests;
