//! What sits on top of panes, windows and clients: copy mode, prompt, menus, dialogs. Never mutates the model.
