#!/bin/sh
command -v shutdown >/dev/null 2>&1 || {
  printf '{"_error": {"kind": "patching/no-shutdown", "msg": "This machine has no shutdown program", "details": {}}}\n'
  exit 1
}
(trap '' HUP; sleep 2; exec shutdown -r now) </dev/null >/dev/null 2>&1 &
echo '{"status": "going down"}'
