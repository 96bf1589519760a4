#!/bin/sh
# Goes down in the background, so that the task itself can still end well.

seconds=${PT_timeout:-3}
case $seconds in '' | *[!0-9]*) seconds=3 ;; esac
[ "$seconds" -ge 3 ] || seconds=3
if [ "$PT_shutdown_only" = true ]; then how=-h; else how=-r; fi
command -v shutdown >/dev/null 2>&1 || {
  printf '{"_error": {"kind": "reboot/failure", "msg": "This machine has no shutdown program", "details": {}}}\n'
  exit 1
}
(
  trap '' HUP
  sleep "$seconds"
  exec shutdown "$how" now ${PT_message:+"$PT_message"}
) </dev/null >/dev/null 2>&1 &
printf '{"status": "queued", "timeout": %s}\n' "$seconds"
