//! Ratings of many players from the games between them: Bradley–Terry by maximum likelihood.
//!
//! A draw counts as half a win and half a loss. Players with a given rating (anchors) keep it;
//! without anchors the mean of all ratings is 0. Who has no path of games to an anchor has no
//! rating.

use super::matrix::Matrix;

/// Elo per unit of the logistic function's argument.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Newton steps after which a likelihood without a maximum is given up; ten are usual.
const MAX_STEPS: u32 = 200;

/// Results of one player as Black against one as White.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encounter {
    /// Index of the player that had Black.
    pub black: usize,
    /// Index of the player that had White.
    pub white: usize,
    /// Games that Black won.
    pub black_wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games that White won.
    pub white_wins: u32,
}

impl Encounter {
    /// Games played.
    pub fn games(&self) -> u32 {
        self.black_wins + self.draws + self.white_wins
    }
}

/// How ratings are estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingOptions {
    /// Whether the advantage of Black is estimated too; else it is taken as none.
    pub advantage: bool,
    /// Draws that are assumed beside those seen. Without any, a player that has won or lost all
    /// its games has no finite rating.
    pub assumed: AssumedDraws,
}

/// Draws that nobody played: a weak belief that players are not too far apart, and, with as many
/// draws between equals, that Black's advantage is not too big.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AssumedDraws {
    /// So many per player, against one rated 0; at least 0.
    AgainstZero(f64),
    /// So many per player, spread over the opponents that it had as its games are; at least 0.
    AgainstOpponents(f64),
}

impl Default for RatingOptions {
    /// No advantage; one draw per player against those that it played.
    fn default() -> RatingOptions {
        RatingOptions {
            advantage: false,
            assumed: AssumedDraws::AgainstOpponents(1.0),
        }
    }
}

/// The rating of one player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Elo, relative to the anchors.
    pub elo: f64,
    /// Standard error of `elo`; 0 for anchors.
    pub se: f64,
}

/// Ratings of all players.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// By index of the player; `None` for who has no path of games to an anchor, and for
    /// everybody where the likelihood has no maximum.
    pub players: Vec<Option<Rating>>,
    /// Black's advantage in Elo, if it was asked for.
    pub advantage: Option<f64>,
    /// Covariances of the ratings in Elo²; rows and columns of anchors, and of players without a
    /// rating, are 0.
    covariance: Matrix,
}

impl Ratings {
    /// Standard error of the difference between two players' ratings.
    pub fn se_of_difference(&self, a: usize, b: usize) -> f64 {
        let c = &self.covariance;
        (c[(a, a)] + c[(b, b)] - 2.0 * c[(a, b)]).max(0.0).sqrt()
    }

    /// How much one more game between two players would tell: the growth of the logarithm of the
    /// ratings' joint precision, from 0. `None` if one of them has no rating.
    ///
    /// Grows with the doubt about the difference, and with the doubt about the result.
    pub fn information(&self, a: usize, b: usize) -> Option<f64> {
        let difference = (self.players[a]?.elo - self.players[b]?.elo) / ELO_PER_LOGIT;
        let win = logistic(difference);
        let variance = (self.se_of_difference(a, b) / ELO_PER_LOGIT).powi(2);
        Some((win * (1.0 - win) * variance).ln_1p())
    }
}

/// Rates `anchors.len()` players by the games between them; `anchors` holds the Elo of those whose
/// rating is given.
///
/// # Panics
///
/// If an encounter names a player that does not exist, or one against itself.
pub fn rate(anchors: &[Option<f64>], encounters: &[Encounter], options: &RatingOptions) -> Ratings {
    let n = anchors.len();
    for encounter in encounters {
        assert!(
            encounter.black != encounter.white && encounter.black.max(encounter.white) < n,
            "an encounter is between two of {n} players: {encounter:?}"
        );
    }
    let mut ratings = Ratings {
        players: vec![None; n],
        advantage: None,
        covariance: Matrix::zeros(n),
    };
    let rated = rated_players(anchors, encounters);
    let model = Model::new(anchors, &rated, encounters, options);
    let Some((theta, covariance)) = model.solve() else {
        return ratings;
    };
    for (player, place) in model.place.iter().enumerate() {
        let elo = match (anchors[player], place) {
            (Some(elo), _) => Some(elo),
            (None, Some(place)) => Some(theta[*place] * ELO_PER_LOGIT),
            (None, None) => None,
        };
        ratings.players[player] = elo.filter(|_| rated[player]).map(|elo| Rating {
            elo,
            se: place.map_or(0.0, |place| {
                covariance[(place, place)].max(0.0).sqrt() * ELO_PER_LOGIT
            }),
        });
    }
    for (a, place_a) in model.place.iter().enumerate() {
        for (b, place_b) in model.place.iter().enumerate() {
            if let (Some(place_a), Some(place_b)) = (place_a, place_b) {
                ratings.covariance[(a, b)] =
                    covariance[(*place_a, *place_b)] * ELO_PER_LOGIT.powi(2);
            }
        }
    }
    ratings.advantage = options
        .advantage
        .then(|| theta[model.n_free] * ELO_PER_LOGIT);
    ratings
}

/// Who can be rated: those that games connect with an anchor; without anchors, the largest group
/// that games connect.
fn rated_players(anchors: &[Option<f64>], encounters: &[Encounter]) -> Vec<bool> {
    let n = anchors.len();
    let mut group: Vec<usize> = (0..n).collect();
    for encounter in encounters.iter().filter(|encounter| encounter.games() > 0) {
        let (from, to) = (group[encounter.black], group[encounter.white]);
        for g in &mut group {
            if *g == from {
                *g = to;
            }
        }
    }
    let anchored = |g: usize| (0..n).any(|i| anchors[i].is_some() && group[i] == g);
    if anchors.iter().any(Option::is_some) {
        return group.iter().map(|&g| anchored(g)).collect();
    }
    let size = |g: usize| group.iter().filter(|&&other| other == g).count();
    // The first of the largest, whatever the order of the encounters.
    let mut largest = 0;
    for player in 0..n {
        if size(group[player]) > size(group[largest]) {
            largest = player;
        }
    }
    group.iter().map(|&g| g == group[largest]).collect()
}

/// The likelihood of the ratings that are looked for. Ratings are in units of the logistic
/// function's argument here.
struct Model<'a> {
    /// Place of each player's rating among the numbers looked for.
    place: Vec<Option<usize>>,
    n_free: usize,
    advantage: bool,
    /// Given ratings; 0 for who has none.
    fixed: Vec<f64>,
    centred: bool,
    encounters: Vec<&'a Encounter>,
    /// Assumed draws: player, opponent (`None`: one rated 0), how many.
    assumed: Vec<(usize, Option<usize>, f64)>,
    /// Draws assumed between equals, so that few games of one colour leave no advantage open.
    even_draws: f64,
}

impl<'a> Model<'a> {
    fn new(
        anchors: &[Option<f64>],
        rated: &[bool],
        encounters: &'a [Encounter],
        options: &RatingOptions,
    ) -> Model<'a> {
        let mut n_free = 0;
        let mut next_place = || {
            n_free += 1;
            n_free - 1
        };
        let place = (0..anchors.len())
            .map(|i| (anchors[i].is_none() && rated[i]).then(&mut next_place))
            .collect();
        let encounters: Vec<_> = encounters
            .iter()
            .filter(|encounter| rated[encounter.black])
            .collect();
        let assumed = match options.assumed {
            AssumedDraws::AgainstZero(draws) => (0..anchors.len())
                .filter(|&i| rated[i])
                .map(|i| (i, None, draws))
                .collect(),
            AssumedDraws::AgainstOpponents(draws) => {
                spread_over_opponents(anchors.len(), &encounters, draws)
            }
        };
        Model {
            place,
            n_free,
            advantage: options.advantage,
            fixed: anchors
                .iter()
                .map(|elo| elo.unwrap_or(0.0) / ELO_PER_LOGIT)
                .collect(),
            centred: anchors.iter().all(Option::is_none),
            encounters,
            assumed,
            even_draws: match options.assumed {
                AssumedDraws::AgainstZero(draws) | AssumedDraws::AgainstOpponents(draws) => draws,
            },
        }
    }

    /// The likeliest numbers, and their covariances: ratings by place, then the advantage. `None`
    /// if there is no maximum.
    fn solve(&self) -> Option<(Vec<f64>, Matrix)> {
        let size = self.n_free + usize::from(self.advantage);
        let mut theta = vec![0.0; size];
        // Anchored players begin where the anchors are.
        if !self.centred {
            let n_anchors = self.place.iter().filter(|place| place.is_none()).count();
            let mean = self.fixed.iter().sum::<f64>() / n_anchors.max(1) as f64;
            theta[..self.n_free].fill(mean);
        }
        for _ in 0..MAX_STEPS {
            let (gradient, inverse) = self.slope(&theta)?;
            let step: Vec<f64> = (0..size)
                .map(|i| (0..size).map(|k| inverse[(i, k)] * gradient[k]).sum())
                .collect();
            let longest = step.iter().fold(0.0_f64, |max, s: &f64| max.max(s.abs()));
            if !longest.is_finite() {
                return None;
            }
            // Far from the maximum the parabola overshoots.
            let shortened = (1.0 / longest).min(1.0);
            for (value, step) in theta.iter_mut().zip(&step) {
                *value += shortened * step;
            }
            if longest < 1e-10 {
                return Some((theta, inverse));
            }
        }
        None
    }

    /// The slope of the log likelihood, and the inverse of its negative curvature, within the
    /// constraint that the ratings sum to 0 where there is no anchor.
    fn slope(&self, theta: &[f64]) -> Option<(Vec<f64>, Matrix)> {
        let size = theta.len();
        let border = usize::from(self.centred);
        let mut gradient = vec![0.0; size];
        let mut curvature = Matrix::zeros(size + border);
        let rating = |player: usize| match self.place[player] {
            Some(place) => theta[place],
            None => self.fixed[player],
        };
        let mut add = |places: &[(Option<usize>, f64)], argument: f64, wins: f64, games: f64| {
            let expected = logistic(argument);
            let weight = games * expected * (1.0 - expected);
            for &(i, sign_i) in places {
                let Some(i) = i else { continue };
                gradient[i] += sign_i * (wins - games * expected);
                for &(k, sign_k) in places {
                    if let Some(k) = k {
                        curvature[(i, k)] += sign_i * sign_k * weight;
                    }
                }
            }
        };
        let advantage = self.advantage.then_some(self.n_free);
        for encounter in &self.encounters {
            let (black, white) = (encounter.black, encounter.white);
            let wins = f64::from(encounter.black_wins) + f64::from(encounter.draws) / 2.0;
            let lead = advantage.map_or(0.0, |place| theta[place]);
            add(
                &[
                    (self.place[black], 1.0),
                    (self.place[white], -1.0),
                    (advantage, 1.0),
                ],
                rating(black) - rating(white) + lead,
                wins,
                f64::from(encounter.games()),
            );
        }
        if let Some(place) = advantage {
            add(
                &[(Some(place), 1.0)],
                theta[place],
                self.even_draws / 2.0,
                self.even_draws,
            );
        }
        for &(player, opponent, draws) in &self.assumed {
            let against = opponent.map_or(0.0, rating);
            let place = opponent.and_then(|opponent| self.place[opponent]);
            add(
                &[(self.place[player], 1.0), (place, -1.0)],
                rating(player) - against,
                draws / 2.0,
                draws,
            );
        }
        if self.centred {
            for i in 0..self.n_free {
                curvature[(i, size)] = 1.0;
                curvature[(size, i)] = 1.0;
            }
        }
        Some((gradient, curvature.inverse()?.top_left(size)))
    }
}

/// `draws` per player over its opponents, in proportion to the games.
fn spread_over_opponents(
    n_players: usize,
    encounters: &[&Encounter],
    draws: f64,
) -> Vec<(usize, Option<usize>, f64)> {
    let mut games = vec![0.0; n_players];
    for encounter in encounters {
        games[encounter.black] += f64::from(encounter.games());
        games[encounter.white] += f64::from(encounter.games());
    }
    let of = |encounter: &Encounter, player: usize, opponent: usize| {
        let share = f64::from(encounter.games()) / games[player].max(1.0);
        // Half of a draw is the opponent's own assumption.
        (player, Some(opponent), draws * share / 2.0)
    };
    encounters
        .iter()
        .flat_map(|&encounter| {
            let (black, white) = (encounter.black, encounter.white);
            [of(encounter, black, white), of(encounter, white, black)]
        })
        .collect()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests;
