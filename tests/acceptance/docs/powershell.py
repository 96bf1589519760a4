"""docs/powershell.md. What it shows runs over ssh on a PowerShell in test_powershell.py."""
SKIP = {"-t windows": "there is no Windows machine here"}
