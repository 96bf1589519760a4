#!/bin/sh
# Prints {"packages": [...], "restart_needed": true or false}. With noop nothing is changed.
set -e

if command -v apt-get >/dev/null 2>&1; then
  apt-get -qq update >&2
  packages=$(apt-get -qq -s upgrade | sed -n 's/^Inst \([^ ]*\).*/\1/p')
  if [ -n "$packages" ] && [ -z "$PT__noop" ]; then
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Options::=--force-confold upgrade >&2
  fi
  if [ -e "${PATCHING_ROOT:-}/var/run/reboot-required" ]; then restart=true; else restart=false; fi
elif command -v dnf >/dev/null 2>&1; then
  # Its exit status is 100 when there are updates.
  packages=$(dnf -q check-update || [ $? = 100 ])
  packages=$(printf '%s\n' "$packages" | sed -n 's/^\([^ ]*\)\.[^. ]* .*/\1/p')
  if [ -n "$packages" ] && [ -z "$PT__noop" ]; then dnf -y -q upgrade >&2; fi
  if dnf -q needs-restarting -r >/dev/null 2>&1; then restart=false; else restart=true; fi
else
  printf '{"_error": {"kind": "patching/no-package-manager", "msg": "Neither apt-get nor dnf is here", "details": {}}}\n'
  exit 1
fi

list=
for package in $packages; do list="$list${list:+, }\"$package\""; done
printf '{"packages": [%s], "restart_needed": %s}\n' "$list" "$restart"
