"""docs/choria.md. What it shows runs on a broker and nodes of its own in test_choria.py."""
