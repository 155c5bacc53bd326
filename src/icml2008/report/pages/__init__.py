"""The site: its pages as plain data first, which templates then render."""
