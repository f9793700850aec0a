"""The book: from a composed `System` to pages, and from pages to a site that can be opened from a file."""
