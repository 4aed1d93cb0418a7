//! The thin client: hands its terminal to the server and waits. Imports base and mplex-proto only.
