//! The command language: lex, parse, check arguments against a row's flags, print back. Knows no command.
