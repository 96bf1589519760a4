"""docs/winrm.md. What it shows runs on the WinRM double in test_winrm.py."""
SKIP = {"winrm://win1": "there is no Windows machine here"}
