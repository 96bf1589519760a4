"""docs/containers.md: a container `box` of podman."""
from harness.containers import Podman

SKIP = {"docker://": "there is no Docker here"}
STATUS = {"nobody": 1}
MASKS = [(r"(?m)^  \d+$", "  1")]


def setup(b):
    Podman(b)
