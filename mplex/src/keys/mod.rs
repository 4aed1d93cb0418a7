//! Key values and names, decoding of client input, encoding for a pane. Knows no key table and no command.
