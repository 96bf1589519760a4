SKIP = {
    "console -t web": "asks on the terminal; test_console types what the page has",
}
