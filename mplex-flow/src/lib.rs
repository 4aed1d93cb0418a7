//! Everything that talks to a multiplexer over the control socket; never imports `mplex`.
