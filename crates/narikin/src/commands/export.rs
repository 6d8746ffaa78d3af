//! `narikin export`: a net in the formats of other programs, or as an engine.

mod engine_folder;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use model::{Manifest, OnnxOptions, OnnxPrecision, to_onnx, write_whole};
use serde::Serialize;

use crate::exit::{self, Refuse};
use crate::nets::{Net, NetFile, SHIPPED};
use crate::output::{self, SCHEMA};

/// Arguments of `narikin export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  narikin export runs/quick --onnx nets/
  narikin export runs/quick --usi narikin-engine

The ONNX file has dlshogi's interface: input1 [batch, 62, 9, 9], input2 [batch, 57, 9, 9],
output_policy [batch, 2187], output_value [batch, 1], all float32 (opset 13). Engines keep what they
made of a net under the name of its file, so every generation should have a name of its own: in a
folder it is called NAME-GENERATION.onnx, and a file with another net in it is not replaced.

An engine folder holds a launcher for shogi GUIs, the program, OpenVINO and the net, and runs by itself
on another machine of the same system. An older one of the same name is replaced.

The JSON object: {schema, file, bytes, precision, model: the manifest}; for an engine {schema, folder,
launcher, bytes, files: [names]}.")]
#[command(group(clap::ArgGroup::new("form").required(true).args(["onnx", "usi"])))]
pub struct ExportArgs {
    /// Model file or run folder
    #[arg(value_name = "NET", default_value = SHIPPED)]
    pub net: PathBuf,
    /// Write an ONNX file, or into a folder under the net's own name [default: here]
    #[arg(long, value_name = "FILE|DIR", num_args = 0..=1, default_missing_value = ".")]
    pub onnx: Option<PathBuf>,
    /// Write a folder that is a USI engine by itself
    #[arg(long, value_name = "DIR")]
    pub usi: Option<PathBuf>,
    /// Build without libtorch to put into the engine folder [default: this program, if it is one,
    /// else target/lean/release/narikin]
    #[arg(long, value_name = "FILE", requires = "usi")]
    pub program: Option<PathBuf>,
    /// Numbers that the net computes in; inputs and outputs are float32 in any case
    #[arg(long, value_enum, default_value_t = NetPrecision::F32)]
    pub precision: NetPrecision,
    /// Replace a file that holds another net
    #[arg(long)]
    pub replace: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Numbers that an exported net computes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NetPrecision {
    /// Single precision
    F32,
    /// Half precision: half the size
    F16,
}

/// The JSON object.
#[derive(Debug, Serialize)]
struct Exported<'a> {
    schema: u32,
    file: &'a Path,
    bytes: usize,
    precision: &'static str,
    model: &'a Manifest,
}

/// The JSON object of an engine folder.
#[derive(Debug, Serialize)]
struct ExportedEngine<'a> {
    schema: u32,
    folder: &'a Path,
    launcher: &'a Path,
    bytes: u64,
    files: &'a [String],
}

/// Writes the net and says where it is.
///
/// # Errors
///
/// If the net is refused, the precision cannot hold it, or the file is there with another net.
pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    match (&args.usi, &args.onnx) {
        (Some(folder), _) => write_engine(args, &args.net, folder)?,
        (None, Some(file)) => write_onnx(args, &args.net, file)?,
        (None, None) => bail!("expected --onnx or --usi"),
    }
    Ok(exit::done())
}

fn write_engine(args: &ExportArgs, source: &Path, folder: &Path) -> anyhow::Result<()> {
    // A net that does not run here would not run there.
    Net::load(source)?.evaluator(1)?;
    let written = engine_folder::write(folder, source, args.program.as_deref()).refused()?;
    if args.json {
        return output::print_json(&ExportedEngine {
            schema: SCHEMA,
            folder: &written.folder,
            launcher: &written.launcher,
            bytes: written.bytes,
            files: &written.files,
        });
    }
    output::print(&format!(
        "{}: {:.1} MB in {} files, for a shogi GUI: {}",
        written.folder.display(),
        written.bytes as f64 / 1e6,
        written.files.len(),
        written.launcher.display()
    ))
}

fn write_onnx(args: &ExportArgs, source: &Path, onnx: &Path) -> anyhow::Result<()> {
    let ExportArgs {
        precision,
        replace,
        json,
        ..
    } = args;
    let model = NetFile::read(source)?.model()?;
    let options = OnnxOptions {
        precision: precision.of_onnx(),
        ..OnnxOptions::default()
    };
    let bytes = to_onnx(&model, &options)
        .with_context(|| format!("cannot export {}", source.display()))
        .refused()?;
    let file = target(onnx, &model.manifest, *precision);
    if is_folder(onnx) {
        fs::create_dir_all(onnx)
            .with_context(|| format!("cannot create the folder {}", onnx.display()))?;
    }
    if !*replace {
        check_same(&file, &bytes).refused()?;
    }
    write_whole(&file, &bytes)?;
    let exported = Exported {
        schema: SCHEMA,
        file: &file,
        bytes: bytes.len(),
        precision: precision.name(),
        model: &model.manifest,
    };
    if *json {
        output::print_json(&exported)?;
    } else {
        output::print(&format!(
            "{}: {} bytes, {}, generation {} of {}",
            file.display(),
            bytes.len(),
            precision.name(),
            model.manifest.generation,
            source.display()
        ))?;
    }
    Ok(())
}

/// The file itself, or the net's own name in a folder.
fn target(path: &Path, manifest: &Manifest, precision: NetPrecision) -> PathBuf {
    if is_folder(path) {
        path.join(default_name(manifest, precision))
    } else {
        path.to_owned()
    }
}

/// A folder that is there, or a name that says that it is one.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Another one for each run, generation and precision.
fn default_name(manifest: &Manifest, precision: NetPrecision) -> String {
    let run = [&manifest.run, &manifest.name]
        .into_iter()
        .find(|name| !name.is_empty());
    let run = run.map_or("narikin", String::as_str);
    // Names come from configurations, where a slash is as good as any other character.
    let run: String = run
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let precision = match precision {
        NetPrecision::F32 => "",
        NetPrecision::F16 => "-f16",
    };
    format!("{run}-{:06}{precision}.onnx", manifest.generation)
}

/// Refuses to put another net where an engine may know one by this name.
fn check_same(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    match fs::read(file) {
        Ok(found) if found != bytes => bail!(
            "{} is there and holds something else, and engines know a net by the name of its file: \
             choose another name, or give --replace",
            file.display()
        ),
        _ => Ok(()),
    }
}

impl NetPrecision {
    fn of_onnx(self) -> OnnxPrecision {
        match self {
            Self::F32 => OnnxPrecision::F32,
            Self::F16 => OnnxPrecision::F16,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
        }
    }
}

#[cfg(test)]
mod tests;
