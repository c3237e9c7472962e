"""Railroad Ink: everybody draws the same dice on a board of their own."""
