//! Tests of the grid.
