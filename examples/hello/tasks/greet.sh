#!/bin/sh
# Parameters arrive as PT_ variables and as JSON on standard input; a JSON object on standard output is the result.
printf '{"greeting": "%s, %s!", "uptime_seconds": %s}\n' "$PT_greeting" "$PT_name" "$(cut -d. -f1 /proc/uptime)"
