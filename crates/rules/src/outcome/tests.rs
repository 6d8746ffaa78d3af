use std::collections::BTreeSet;

use super::*;

#[test]
fn every_reason_has_a_name_of_its_own_that_reads_back() {
    let names: BTreeSet<&str> = EndReason::ALL
        .iter()
        .map(|reason| reason.as_str())
        .collect();
    assert_eq!(names.len(), EndReason::ALL.len());
    for reason in EndReason::ALL {
        assert_eq!(reason.to_string().parse(), Ok(reason));
        let is_kebab = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(reason.as_str().chars().all(is_kebab), "{reason}");
    }
    for reason in IllegalReason::ALL {
        assert!(EndReason::ALL.contains(&EndReason::Foul(reason)));
    }
}

#[test]
fn an_unknown_name_is_refused() {
    assert_eq!(
        "Checkmate".parse::<EndReason>().unwrap_err().to_string(),
        "end reason \"Checkmate\": expected a name such as checkmate or repetition"
    );
}
