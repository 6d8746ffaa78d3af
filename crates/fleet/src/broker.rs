//! The connection to a broker: where it is, who we are, and the threads behind it.

use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, ServerAddr};
use percent_encoding::percent_decode_str;
use tokio::runtime::{Builder, Runtime};

use crate::error::{FleetError, Said};

/// Time after which a question counts as not answered.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// Time between two signs of life on an idle connection: a broker that vanished without a word is
/// noticed after twice this.
const PING_EVERY: Duration = Duration::from_secs(20);

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes the text, without line ends and blanks around it.
    pub fn new(text: &str) -> Secret {
        Secret(text.trim().to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// Who we are to the broker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// Nobody in particular.
    None,
    /// Whoever knows the token.
    Token(Secret),
    /// A user.
    User {
        /// The name.
        name: String,
        /// The password.
        password: Secret,
    },
    /// Whoever has the seed of this NKey.
    NKey(Secret),
    /// What a `.creds` file says: a JWT and an NKey.
    CredsFile(Secret),
}

/// Encryption and who the broker is to us.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsOptions {
    /// Only an encrypted connection will do.
    pub required: bool,
    /// Certificates that sign the broker's; without them the system's.
    pub authorities: Option<PathBuf>,
    /// Our own certificate and its key.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// Where a broker is. Credentials in an address are taken out of it at once.
#[derive(Debug, Clone)]
pub struct Address {
    servers: Vec<ServerAddr>,
    credentials: Option<Credentials>,
}

impl FromStr for Address {
    type Err = FleetError;

    /// Reads `nats://HOST:PORT`, `tls://HOST:PORT` or `HOST`, or several with commas between them;
    /// `USER:PASSWORD@` or `TOKEN@` may stand before a host.
    fn from_str(text: &str) -> Result<Address, FleetError> {
        let mut address = Address {
            servers: Vec::new(),
            credentials: None,
        };
        for part in text.split(',').map(str::trim) {
            let (plain, credentials) = without_credentials(part);
            let refused = |message: String| FleetError::Address {
                address: plain.clone(),
                message,
            };
            let server: ServerAddr = plain
                .parse()
                .map_err(|error: std::io::Error| refused(error.to_string()))?;
            if server.host().is_empty() || server.is_websocket() {
                let expected = "expected nats://HOST:PORT or tls://HOST:PORT";
                return Err(refused(expected.to_owned()));
            }
            address.servers.push(server);
            address.credentials = address.credentials.or(credentials);
        }
        Ok(address)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, server) in self.servers.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let (scheme, host, port) = (server.scheme(), server.host(), server.port());
            if host.contains(':') {
                write!(f, "{comma}{scheme}://[{host}]:{port}")?;
            } else {
                write!(f, "{comma}{scheme}://{host}:{port}")?;
            }
        }
        Ok(())
    }
}

/// An address without what stands before the `@`, and that.
fn without_credentials(text: &str) -> (String, Option<Credentials>) {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), text),
    };
    let end = rest.find('/').unwrap_or(rest.len());
    let Some(at) = rest[..end].rfind('@') else {
        return (text.to_owned(), None);
    };
    let credentials = match rest[..at].split_once(':') {
        Some((name, password)) => Credentials::User {
            name: percent_decoded(name),
            password: Secret::new(&percent_decoded(password)),
        },
        None => Credentials::Token(Secret::new(&percent_decoded(&rest[..at]))),
    };
    (format!("{scheme}{}", &rest[at + 1..]), Some(credentials))
}

/// `text` with `%41` as `A`; what is no such code stays.
fn percent_decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// How to get to a broker.
#[derive(Debug, Clone)]
pub struct BrokerOptions {
    /// Where it is.
    pub address: Address,
    /// Who we are; stronger than what the address says.
    pub credentials: Credentials,
    /// Encryption.
    pub tls: TlsOptions,
    /// What to be called in the broker's lists of connections. Answers come to `_INBOX_NAME`, with `_`
    /// for all but letters and digits: so a user can be kept from hearing those of others.
    pub client_name: String,
}

/// A connection to a broker. It mends itself when the broker was away. Clones are the same one.
#[derive(Clone)]
pub struct Broker {
    inner: Arc<Inner>,
}

struct Inner {
    address: Address,
    context: Context,
    /// Last: what uses it goes first.
    runtime: Runtime,
}

impl fmt::Debug for Broker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Broker({})", self.inner.address)
    }
}

impl Broker {
    /// Connects; tries each address once.
    ///
    /// # Errors
    ///
    /// [`FleetError::Unreachable`] if nobody answers, which may be different in a moment;
    /// [`FleetError::Refused`] or [`FleetError::Credentials`] if the credentials are at fault.
    pub fn connect(options: &BrokerOptions) -> Result<Broker, FleetError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("broker")
            .enable_all()
            .build()
            .map_err(FleetError::Runtime)?;
        let client = runtime.block_on(connect(options))?;
        // It starts a task of its own.
        let mut context = runtime.block_on(async { jetstream::new(client) });
        context.set_timeout(ANSWER_WITHIN);
        Ok(Broker {
            inner: Arc::new(Inner {
                address: options.address.clone(),
                context,
                runtime,
            }),
        })
    }

    /// Where the broker is, without credentials.
    pub fn address(&self) -> &Address {
        &self.inner.address
    }

    /// Whether the broker answers now.
    pub fn is_connected(&self) -> bool {
        self.client().connection_state() == async_nats::connection::State::Connected
    }

    pub(crate) fn client(&self) -> Client {
        self.inner.context.client()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.inner.context
    }

    /// Waits for `future`; not to be called from a task.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.inner.runtime.block_on(future)
    }

    /// Runs `task` beside everything else.
    pub(crate) fn spawn(
        &self,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> tokio::task::JoinHandle<()> {
        self.inner.runtime.spawn(task)
    }
}

/// What answers to a client come to.
fn inbox_of(client_name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = client_name.chars().map(plain).collect();
    format!("_INBOX_{name}")
}

async fn connect(options: &BrokerOptions) -> Result<Client, FleetError> {
    let BrokerOptions {
        address,
        credentials,
        tls,
        client_name,
    } = options;
    let credentials = match (credentials, &address.credentials) {
        (Credentials::None, Some(in_address)) => in_address,
        (given, _) => given,
    };
    let mut connect = with_credentials(ConnectOptions::new(), credentials)?
        .name(client_name)
        .custom_inbox_prefix(inbox_of(client_name))
        .ping_interval(PING_EVERY)
        .request_timeout(Some(ANSWER_WITHIN))
        .require_tls(tls.required);
    if let Some(authorities) = &tls.authorities {
        connect = connect.add_root_certificates(authorities.clone());
    }
    if let Some((certificate, key)) = &tls.identity {
        connect = connect.add_client_certificate(certificate.clone(), key.clone());
    }
    connect
        .connect(address.servers.clone())
        .await
        .map_err(|error| match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                FleetError::Refused {
                    broker: address.to_string(),
                }
            }
            _ => FleetError::Unreachable {
                broker: address.to_string(),
                source: Said::new(error),
            },
        })
}

fn with_credentials(
    options: ConnectOptions,
    credentials: &Credentials,
) -> Result<ConnectOptions, FleetError> {
    Ok(match credentials {
        Credentials::None => options,
        Credentials::Token(Secret(token)) => options.token(token.clone()),
        Credentials::User { name, password } => {
            options.user_and_password(name.clone(), password.0.clone())
        }
        Credentials::NKey(Secret(seed)) => {
            if !seed.starts_with("SU") {
                return Err(FleetError::Credentials {
                    what: "NKey",
                    expected: "expected a user's seed, which begins with SU",
                });
            }
            options.nkey(seed.clone())
        }
        // The error of the reader is dropped: it could repeat what it read.
        Credentials::CredsFile(Secret(text)) => {
            options
                .credentials(text)
                .map_err(|_| FleetError::Credentials {
                    what: "credentials file",
                    expected: "expected a JWT and a seed as `nsc generate creds` writes them",
                })?
        }
    })
}

#[cfg(test)]
mod tests;
