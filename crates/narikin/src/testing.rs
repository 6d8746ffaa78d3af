//! What the tests of several modules need.

use std::fs;
use std::path::PathBuf;

use model::NetShape;

/// A new, empty folder for the test called `name`; names are not used twice.
pub fn test_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("narikin-{}-{name}", std::process::id()));
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old test folder can be removed");
    }
    fs::create_dir_all(&folder).expect("a test folder can be created");
    folder
}

/// The shape of a net that is quickly made and run.
pub fn tiny_shape() -> NetShape {
    NetShape {
        blocks: 1,
        channels: 8,
        value_channels: 2,
        value_hidden: 8,
        ..NetShape::default()
    }
}
