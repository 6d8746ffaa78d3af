//! A broker as it is named on the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use fleet::{Address, Broker, BrokerOptions, Credentials, FleetError, Secret, TlsOptions};

use crate::exit::{Interrupted, Refuse, Usage};
use crate::interrupt;
use crate::report::terminal::note;

/// How to get to a broker. Credentials are read from files, so that no list of processes shows them.
#[derive(Debug, Clone, clap::Args)]
pub struct BrokerArgs {
    /// Address of the NATS broker: `nats://HOST:PORT`, `tls://HOST:PORT`, or several with commas
    #[arg(long, value_name = "URL")]
    pub broker: Option<String>,
    /// File with the JWT and the seed of a user, as `nsc` writes it
    #[arg(long, value_name = "FILE", requires = "broker", group = "who")]
    pub creds_file: Option<PathBuf>,
    /// File with a token
    #[arg(long, value_name = "FILE", requires = "broker", group = "who")]
    pub token_file: Option<PathBuf>,
    /// File with the seed of an NKey
    #[arg(long, value_name = "FILE", requires = "broker", group = "who")]
    pub nkey_file: Option<PathBuf>,
    /// Name of a user
    #[arg(long, value_name = "NAME", requires_all = ["broker", "password_file"], group = "who")]
    pub user: Option<String>,
    /// File with the user's password
    #[arg(long, value_name = "FILE", requires = "user")]
    pub password_file: Option<PathBuf>,
    /// Use encrypted connections only
    #[arg(long, requires = "broker")]
    pub tls: bool,
    /// File with the certificates that sign the broker's [default: the system's]
    #[arg(long, value_name = "FILE", requires = "broker")]
    pub tls_ca: Option<PathBuf>,
    /// File with our own certificate
    #[arg(long, value_name = "FILE", requires_all = ["broker", "tls_key"])]
    pub tls_cert: Option<PathBuf>,
    /// File with the key of our own certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
}

/// Time between two attempts to reach a broker.
const TRY_EVERY: Duration = Duration::from_secs(2);
/// Parts of that in which Ctrl-C is looked for.
const GLANCES: u32 = 20;

impl BrokerArgs {
    /// Connects to the broker that was named; `None` if none was. Waits for one that is not there.
    ///
    /// # Errors
    ///
    /// If address or credentials are refused, and on Ctrl-C.
    pub fn connect(&self, client_name: &str) -> anyhow::Result<Option<Broker>> {
        let Some(options) = self.options(client_name)? else {
            return Ok(None);
        };
        let mut told = false;
        loop {
            match Broker::connect(&options) {
                Ok(broker) => return Ok(Some(broker)),
                Err(error @ FleetError::Unreachable { .. }) => {
                    if !told {
                        note(&format!("waiting: {}", error.line()));
                        told = true;
                    }
                }
                Err(error) => return Err(error).refused(),
            }
            rest()?;
        }
    }

    /// As [`BrokerArgs::connect`], for commands that make no sense without a broker and do not wait.
    ///
    /// # Errors
    ///
    /// If none was named, or it cannot be reached or refuses.
    pub fn connect_at_once(&self, client_name: &str) -> anyhow::Result<Broker> {
        let options = self.options(client_name)?;
        let options = options.ok_or_else(|| Usage("--broker URL is missing".to_owned()))?;
        match Broker::connect(&options) {
            Ok(broker) => Ok(broker),
            Err(error @ FleetError::Unreachable { .. }) => Err(error.into()),
            Err(error) => Err(error).refused(),
        }
    }

    fn options(&self, client_name: &str) -> anyhow::Result<Option<BrokerOptions>> {
        let Some(address) = &self.broker else {
            return Ok(None);
        };
        let address: Address = address.parse::<Address>().refused()?;
        let identity = self.tls_cert.clone().zip(self.tls_key.clone());
        for file in self.tls_ca.iter().chain(self.tls_cert.iter()) {
            fs::metadata(file)
                .with_context(|| format!("cannot read {}", file.display()))
                .refused()?;
        }
        Ok(Some(BrokerOptions {
            address,
            credentials: self.credentials()?,
            tls: TlsOptions {
                required: self.tls,
                authorities: self.tls_ca.clone(),
                identity,
            },
            client_name: client_name.to_owned(),
        }))
    }

    fn credentials(&self) -> anyhow::Result<Credentials> {
        let BrokerArgs {
            creds_file,
            token_file,
            nkey_file,
            user,
            password_file,
            ..
        } = self;
        Ok(match (creds_file, token_file, nkey_file, user) {
            (Some(file), ..) => Credentials::CredsFile(secret(file)?),
            (_, Some(file), ..) => Credentials::Token(secret(file)?),
            (_, _, Some(file), _) => Credentials::NKey(secret(file)?),
            (_, _, _, Some(name)) => Credentials::User {
                name: name.clone(),
                password: secret(password_file.as_ref().expect("clap asks for it"))?,
            },
            _ => Credentials::None,
        })
    }
}

fn secret(file: &Path) -> anyhow::Result<Secret> {
    let text = fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read {}", file.display()));
    Ok(Secret::new(&text.refused()?))
}

/// Waits a little before something is tried again.
///
/// # Errors
///
/// On Ctrl-C.
pub fn rest() -> anyhow::Result<()> {
    for _ in 0..GLANCES {
        if interrupt::requested() {
            return Err(Interrupted.into());
        }
        thread::sleep(TRY_EVERY / GLANCES);
    }
    Ok(())
}
