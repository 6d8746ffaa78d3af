use std::sync::mpsc;

use super::*;

/// Works on the next of the numbers from 1 on; `made` counts them.
fn next(ahead: &mut Ahead<u32>, made: &mut u32) -> u32 {
    let make = || {
        *made += 1;
        *made
    };
    ahead.work_on_next(make, |item| item).unwrap()
}

#[test]
fn items_come_in_the_order_in_which_they_are_made_and_one_is_ready() {
    let (mut ahead, mut made) = (Ahead::default(), 0);
    let items: Vec<u32> = (0..5).map(|_| next(&mut ahead, &mut made)).collect();
    assert_eq!(items, [1, 2, 3, 4, 5]);
    assert_eq!(made, 6);
}

#[test]
fn a_forgotten_item_is_made_anew() {
    let (mut ahead, mut made) = (Ahead::default(), 0);
    assert_eq!(next(&mut ahead, &mut made), 1);
    ahead.forget();
    assert_eq!(next(&mut ahead, &mut made), 3);
    assert_eq!(next(&mut ahead, &mut made), 4);
}

#[test]
fn the_next_item_is_made_while_the_first_is_worked_on() {
    let (started, starts) = mpsc::channel();
    let mut n_made = 0;
    let make = || {
        n_made += 1;
        if n_made == 2 {
            started.send(()).unwrap();
        }
    };
    // Would never end if the second item had to wait for the end of the work.
    Ahead::default()
        .work_on_next(make, |()| starts.recv().unwrap())
        .unwrap();
}

#[test]
#[should_panic(expected = "no batch")]
fn a_panic_of_the_maker_is_not_lost() {
    let mut n_made = 0;
    let make = || {
        n_made += 1;
        assert!(n_made < 2, "no batch");
    };
    let _ = Ahead::default().work_on_next(make, |()| ());
}
