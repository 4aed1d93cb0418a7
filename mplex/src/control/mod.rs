//! The control socket's verbs and tmux's text control mode. Knows no file descriptor.
