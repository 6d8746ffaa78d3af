use super::*;

#[track_caller]
fn read(text: &str) -> Address {
    text.parse().expect(text)
}

#[test]
fn addresses_are_shown_without_credentials() {
    let shown = |text: &str| read(text).to_string();
    assert_eq!(shown("localhost"), "nats://localhost:4222");
    assert_eq!(shown("tls://a.example:5"), "tls://a.example:5");
    assert_eq!(shown("nats://[::1]:5"), "nats://[::1]:5");
    assert_eq!(
        shown("nats://anna:geheim@a:1, b:2"),
        "nats://a:1,nats://b:2"
    );
    for text in [
        "nats://anna:geheim@a:1",
        "anna:geheim@a",
        "nats://geheim@a",
        "nats://anna:ge@heim:x@a",
    ] {
        let address = read(text);
        let debug = format!("{address} {address:?}");
        assert!(
            !debug.contains("geheim") && !debug.contains("heim"),
            "{debug}"
        );
        assert!(address.credentials.is_some(), "{text}");
    }
}

#[test]
fn credentials_of_an_address_are_user_and_password_or_a_token() {
    let user = Credentials::User {
        name: "an:na".to_owned(),
        password: Secret("p@ss".to_owned()),
    };
    assert_eq!(read("nats://an%3Ana:p%40ss@a").credentials, Some(user));
    let token = Credentials::Token(Secret("t0k%n".to_owned()));
    assert_eq!(read("t0k%n@a:1").credentials, Some(token));
}

#[test]
fn refused_addresses_are_named_without_credentials() {
    for text in [
        "ws://anna:geheim@a",
        "http://anna:geheim@a",
        "nats://anna:geheim@",
        "",
    ] {
        let error = text.parse::<Address>().unwrap_err();
        let message = format!("{} {error:?}", error.line());
        assert!(!message.contains("geheim"), "{message}");
    }
}

#[test]
fn options_do_not_show_their_secrets() {
    let secret = || Secret::new("geheim\n");
    for credentials in [
        Credentials::Token(secret()),
        Credentials::NKey(secret()),
        Credentials::CredsFile(secret()),
        Credentials::User {
            name: "anna".to_owned(),
            password: secret(),
        },
    ] {
        let options = BrokerOptions {
            address: read("a"),
            credentials,
            tls: TlsOptions::default(),
            client_name: String::new(),
        };
        assert!(!format!("{options:?}").contains("geheim"));
    }
}

#[test]
fn credentials_that_are_none_are_refused_without_being_told() {
    let runtime = Builder::new_current_thread().build().unwrap();
    for (credentials, what) in [
        (Credentials::NKey(Secret::new("geheim")), "NKey"),
        (
            Credentials::CredsFile(Secret::new("geheim")),
            "credentials file",
        ),
    ] {
        let options = BrokerOptions {
            address: read("127.0.0.1:1"),
            credentials,
            tls: TlsOptions::default(),
            client_name: String::new(),
        };
        let error = runtime.block_on(connect(&options)).unwrap_err();
        let message = format!("{} {error:?}", error.line());
        assert!(
            message.contains(what) && !message.contains("geheim"),
            "{message}"
        );
    }
}

#[test]
fn answers_to_different_clients_come_to_different_places() {
    assert_eq!(inbox_of("narikin worker"), "_INBOX_narikin_worker");
    assert_eq!(inbox_of("narikin train a.*>"), "_INBOX_narikin_train_a___");
}
