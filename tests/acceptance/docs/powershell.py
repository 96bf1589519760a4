"""docs/powershell.md. What it shows runs on a PowerShell behind sshd in test_powershell.py."""
SKIP = {"-t windows": "there is no Windows machine here"}
