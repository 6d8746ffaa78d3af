use super::*;

#[test]
fn a_hash_is_sha_256_and_reads_its_own_text() {
    let hash = Hash::of(b"abc");
    let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(hash.to_string(), text);
    assert_eq!(Hash::from_hex(text), Some(hash));
    assert_eq!(Hash::from_hex(&text[1..]), None);
    assert_eq!(Hash::from_hex(&text.replace('b', "x")), None);
    assert_eq!(Hash::from_hex(&"é".repeat(32)), None);
}

#[test]
fn run_ids_keep_their_facts_apart() {
    assert_eq!(RunId::of(&["a", "b"]), RunId::of(&["a", "b"]));
    assert_ne!(RunId::of(&["a", "b"]), RunId::of(&["ab", ""]));
    let run = RunId::of(&["a"]);
    assert_eq!(RunId::from_text(&run.to_string()), Some(run));
    assert_eq!(RunId::from_text("0123456789abcde"), None);
}
