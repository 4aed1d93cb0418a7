//! stub
use super::*;
#[derive(Debug)]
pub struct CopyMode {}
impl CopyMode {
    pub fn new(_s: crate::grid::Snapshot, _z: Size) -> CopyMode {
        CopyMode {}
    }
}
impl Layer for CopyMode {
    fn name(&self) -> &'static str {
        "copy-mode"
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
    fn input(&mut self, _i: &LayerInput, _v: &View) -> Outcome {
        Outcome::close()
    }
    fn draw(&self, _v: &View, _b: &mut Brush<'_>) {}
    fn rev(&self) -> Rev {
        Rev(1)
    }
}
