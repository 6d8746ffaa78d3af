use super::*;

fn order(visits: u32) -> Order {
    let search = SearchOptions {
        visits,
        ..SearchOptions::default()
    };
    Order {
        net: None,
        generation: 0,
        search,
    }
}

#[test]
fn an_order_is_handed_out_until_its_number_is_known() {
    let orders = Orders::new(order(1));
    let (first, _) = orders.newer_than(0).unwrap();
    assert!(orders.newer_than(first).is_none());
    orders.give(order(2));
    let (second, newest) = orders.newer_than(first).unwrap();
    assert_eq!(newest.search.visits, 2);
    assert!(orders.newer_than(second).is_none());
}

#[test]
fn the_same_search_again_is_no_new_order() {
    let orders = Orders::new(order(1));
    orders.set_search(order(1).search);
    assert!(orders.newer_than(1).is_none());
    orders.set_search(order(2).search);
    assert_eq!(orders.newer_than(1).unwrap().1.search.visits, 2);
}

#[test]
fn only_as_many_players_play_as_should() {
    let orders = Orders::new(order(1));
    assert!(orders.plays(1000));
    orders.set_players(1);
    assert!(orders.plays(0) && !orders.plays(1));
    orders.set_players(0);
    assert!(!orders.plays(0));
}
