//! Command rows, dispatch and queues. Knows no socket.
