SKIP = {}
STATUS = {"-t wbe": 1}
MASKS = [(r"at \S*inventory.yaml", "at inventory.yaml")]
