"""Made from the program's own tables. Its examples are not run (the pages run what they show): with --help each says that its
verb and all of its options exist."""
import re

SKIP = {r"^volley (<subcommand>|[a-z]+( [a-z-]+)? ([<\[{(]|FILE|\[))": "says how the command is used"}


def rewrite(command):
    stage = next(part for part in re.split(r" [|<>] ", command) if part.startswith("volley "))
    return stage.split(" -- ")[0] + " --help"
