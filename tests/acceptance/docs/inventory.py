SKIP = {}
STATUS = {"-t wbe": 1}
