//! The libraries that run nets, loaded into this process when they are first needed.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::library::{Library, LibraryError};

pub(crate) const OPENVINO: Library = Library {
    name: "OpenVINO",
    variable: "NARIKIN_OPENVINO",
    cache_folder: "openvino-2026.4.1",
    prefix: "libopenvino_c.so",
    setup: "scripts/setup",
};

pub(crate) const ONNX_RUNTIME: Library = Library {
    name: "ONNX Runtime",
    variable: "NARIKIN_ONNXRUNTIME",
    cache_folder: "onnxruntime-1.32.0",
    prefix: "libonnxruntime.so",
    setup: "scripts/setup --onnxruntime",
};

/// Where OpenVINO 2026.4 reads on Linux how many processors there are. Without both it never comes back
/// from its first network.
const PROCESSOR_LISTS: [&str; 2] = ["/sys/devices/system/cpu", "/proc/cpuinfo"];

/// The OpenVINO library, loaded into this process; what an evaluator needs to be made.
///
/// A process loads it once: the first library found stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenVino {
    path: PathBuf,
    version: String,
}

impl OpenVino {
    /// Loads the library that `NARIKIN_OPENVINO` names, else the one that `scripts/setup` put into
    /// the cache: `openvino-2026.4.1` in `NARIKIN_CACHE`, or in `narikin` in the user's cache folder.
    ///
    /// # Errors
    ///
    /// What was looked for, and what to do about it.
    pub fn load() -> Result<Self, LibraryError> {
        static LOADED: Mutex<Option<OpenVino>> = Mutex::new(None);
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = &*loaded {
            return Ok(library.clone());
        }
        if cfg!(target_os = "linux") {
            OPENVINO.check_processors(Path::new("/"), PROCESSOR_LISTS)?;
        }
        let path = OPENVINO.find()?;
        openvino_sys::library::load_from(&path)
            .map_err(|message| OPENVINO.load_error(&path, message))?;
        let version = openvino::version().build_number;
        Ok(loaded.insert(Self { path, version }).clone())
    }

    /// The library's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The library's version and build, such as `2026.4.1-…`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }
}

/// The ONNX Runtime library, loaded into this process; what an evaluator needs to be made.
///
/// A process loads it once: the first library found stays. Version 1.20 or newer.
#[derive(Debug, Clone)]
pub struct OnnxRuntime {
    path: PathBuf,
    environment: ort::environment::Environment,
}

impl OnnxRuntime {
    /// Loads the library that `NARIKIN_ONNXRUNTIME` names, else the one that
    /// `scripts/setup --onnxruntime` put into the cache: `onnxruntime-1.32.0` in `NARIKIN_CACHE`, or
    /// in `narikin` in the user's cache folder.
    ///
    /// # Errors
    ///
    /// What was looked for, and what to do about it; a library that is too old.
    pub fn load() -> Result<Self, LibraryError> {
        static LOADED: Mutex<Option<OnnxRuntime>> = Mutex::new(None);
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = &*loaded {
            return Ok(library.clone());
        }
        let path = ONNX_RUNTIME.find()?;
        let failed = |message| ONNX_RUNTIME.load_error(&path, message);
        let environment = ort::init_from(&path)
            .map_err(|error| failed(error.to_string()))?
            .with_name("narikin")
            .with_telemetry(false)
            .build()
            .map_err(|error| failed(error.to_string()))?;
        Ok(loaded.insert(Self { path, environment }).clone())
    }

    /// The library's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn environment(&self) -> &ort::environment::Environment {
        &self.environment
    }
}
