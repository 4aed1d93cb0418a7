//! What the colours of the theme (`themegreen` ...) are on a client.

use crate::base::{ClientId, Colour, ColourKind};
use crate::format::colour;
use crate::options::choices::Theme;
use crate::options::{Opt, Scope as OptScope, Text, opt};
use crate::paint::caps::{THEME, rgb_of};
use crate::vars::{Scope, World};

/// In the order of their indices.
const DARK: [Opt<Text>; THEME] = [
    opt::DARK_THEME_BLACK,
    opt::DARK_THEME_WHITE,
    opt::DARK_THEME_LIGHT_GREY,
    opt::DARK_THEME_DARK_GREY,
    opt::DARK_THEME_GREEN,
    opt::DARK_THEME_YELLOW,
    opt::DARK_THEME_RED,
    opt::DARK_THEME_BLUE,
    opt::DARK_THEME_CYAN,
    opt::DARK_THEME_MAGENTA,
];
const LIGHT: [Opt<Text>; THEME] = [
    opt::LIGHT_THEME_BLACK,
    opt::LIGHT_THEME_WHITE,
    opt::LIGHT_THEME_LIGHT_GREY,
    opt::LIGHT_THEME_DARK_GREY,
    opt::LIGHT_THEME_GREEN,
    opt::LIGHT_THEME_YELLOW,
    opt::LIGHT_THEME_RED,
    opt::LIGHT_THEME_BLUE,
    opt::LIGHT_THEME_CYAN,
    opt::LIGHT_THEME_MAGENTA,
];

/// The colours of a client's theme; `None`: those of its terminal. Dark unless the option, the terminal or its background
/// say otherwise.
pub(super) fn colours(world: &World<'_>, client: ClientId) -> Option<[Colour; THEME]> {
    let c = world.model.client(client)?;
    let light = match world.options.choice(opt::THEME, OptScope::Server) {
        Theme::Terminal => return None,
        Theme::Light => true,
        Theme::Dark => false,
        Theme::Detect => c.dark.map_or_else(|| c.bg.is_some_and(is_light), |dark| !dark),
    };
    let scope = Scope { client: Some(client), ..Scope::default() };
    Some((if light { LIGHT } else { DARK }).map(|option| {
        let text = world.expand(world.options.text(option, OptScope::Server), &scope);
        let found = colour::parse(&text).filter(|c| !matches!(c.kind(), ColourKind::Theme(_)));
        found.unwrap_or(Colour::DEFAULT)
    }))
}

fn is_light(background: Colour) -> bool {
    rgb_of(background).is_some_and(|(r, g, b)| u16::from(r) + u16::from(g) + u16::from(b) > 382)
}
