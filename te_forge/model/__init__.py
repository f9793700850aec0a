"""What a game is, once its text has been read: frozen, typed, and free of any syntax."""
