//! Frames, clipped writing, difference of two frames, encoding for a terminal's capabilities. Knows no pane.
