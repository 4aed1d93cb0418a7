//! Tests of the emulator.
