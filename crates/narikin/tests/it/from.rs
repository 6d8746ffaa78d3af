//! Runs that begin with a net that there is.

use std::fs;

use data::{RecordReader, list_shards};
use model::Model;

use crate::arena::has_openvino;
use crate::program::{check_refused, stderr, stdout_of, test_folder, text};
use crate::train::{events, train, trained};

#[test]
fn a_run_begins_with_a_given_net_and_goes_on_without_it() {
    let old = test_folder("from-old").join("run");
    trained(&old, &["budget.games=60"]);
    let name = fs::read_to_string(old.join("models/current")).unwrap();
    let given = Model::load(&old.join("models").join(name.trim())).unwrap();

    let new = test_folder("from-new").join("run");
    let begin = |budget| {
        let mut command = train(&new, &["name=\"second\"", "learn.blind_games=1000", budget]);
        command.args(["--from", text(&old)]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    };
    begin("budget.samples=600");
    let first = Model::load(&new.join("models/000001.safetensors")).unwrap();
    assert_eq!(first.tensors, given.tensors);
    assert_eq!(first.manifest.run, "second");
    assert_eq!((first.manifest.steps, first.manifest.games), (0, 0));
    for shard in list_shards(&new.join("games")).unwrap() {
        for record in RecordReader::open(&shard.path).unwrap() {
            assert!(0 < record.unwrap().generation, "no game is a blind one");
        }
    }
    let published = events(&new, "published");
    assert_eq!(published[0]["model"], "000001.safetensors");
    assert_eq!(published[0]["progress"]["samples"], 0);
    assert!(1 < published.len(), "it learns without blind games");

    // From now on it stands on its own.
    fs::remove_dir_all(&old).unwrap();
    begin("budget.samples=1200");
    assert!(published.len() < events(&new, "published").len());
    stdout_of(&["status", text(&new)]);
}

#[test]
fn a_net_that_a_run_cannot_begin_with_is_refused_before_there_is_a_folder() {
    let new = test_folder("from-refused").join("run");
    let train = ["train", "--run", text(&new), "--from"];
    let nowhere = [&train[..], &["nowhere.safetensors"]].concat();
    check_refused(&nowhere, 3, &["from", "nowhere.safetensors"]);
    let small = [&train[..], &["narikin-1", "--set", "net.blocks=2"]].concat();
    check_refused(
        &small,
        3,
        &[
            "narikin-1 has 5 blocks",
            "the configuration (net) has 2 blocks",
        ],
    );
    assert!(!new.exists());
}

#[test]
fn the_net_that_comes_with_the_program_can_learn_from_given_records() {
    if !has_openvino() {
        return;
    }
    let folder = test_folder("from-shipped");
    let games = folder.join("games");
    let out = folder.join("learned");
    stdout_of(&[
        "selfplay",
        "--model",
        "narikin-1",
        "--games",
        "4",
        "--out",
        text(&games),
        "--set",
        "search.visits=2",
        "--set",
        "selfplay.max_ply=60",
    ]);
    stdout_of(&[
        "learn",
        "--from",
        "narikin-1",
        "--out",
        text(&out),
        text(&games),
        "--device",
        "cpu",
        "--set",
        "learn.batch=16",
        "--set",
        "records.held_out=0.0",
    ]);
    let name = fs::read_to_string(out.join("models/current")).unwrap();
    let learned = Model::load(&out.join("models").join(name.trim())).unwrap();
    assert!(learned.manifest.shape.blocks == 5 && 0 < learned.manifest.steps);
}
