"""Commands that are loaded when they are asked for. Each module has one `command`; `te_forge.cli` names them, so that help and `check` stay quick."""
