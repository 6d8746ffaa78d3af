use super::*;

fn histogram(values: &[f32]) -> Histogram {
    let mut histogram = Histogram::default();
    // In two parts, so that the range has to grow in between.
    let (first, second) = values.split_at(values.len() / 2);
    histogram.add(first);
    histogram.add(second);
    histogram
}

#[test]
fn every_number_is_counted_however_large_it_is() {
    let histogram = histogram(&[0.0, 0.1, 0.9, 3.0, 700.0, -1.0]);
    assert_eq!(histogram.bins.iter().sum::<u64>(), 6);
    assert_eq!((histogram.top, histogram.largest), (1024.0, 700.0));
    // 4 bins a unit: 0, 0.1 and -1; 0.9; 3; 700.
    assert_eq!(
        [0, 3, 12, 2800].map(|bin| histogram.bins[bin]),
        [3, 1, 1, 1]
    );
}

#[test]
fn evenly_spread_numbers_need_the_whole_range() {
    let values: Vec<f32> = (0..100_000).map(|n| n as f32 / 20_000.0).collect();
    let range = histogram(&values).best_range();
    assert!((4.8..=5.0).contains(&range), "{range}");
}

#[test]
fn a_few_outliers_do_not_take_the_range_from_the_many() {
    let mut values: Vec<f32> = (0..1_000_000).map(|n| n as f32 / 1e6).collect();
    values.extend([20.0, 30.0]);
    let range = histogram(&values).best_range();
    // By hand: 2.6 r = 2 (20 - r) + 2 (30 - r), so 15.
    assert!((14.0..16.5).contains(&range), "{range}");
}

#[test]
fn zeros_fit_any_range() {
    assert_eq!(histogram(&[0.0; 10]).best_range(), 1.0);
}
