#!/bin/sh
# Services through the system's own manager.

json() { printf '%s' "$1" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' | tr '\n\t' '  ' | tr -d '\000-\037'; }
fail() {
  printf '{"_error": {"kind": "service/failure", "msg": "%s", "details": {"exit_code": %s}}}\n' "$(json "$1")" "${2:-1}"
  exit "${2:-1}"
}
run() {
  output=$("$@" 2>&1) || fail "$* failed: $output" $?
}

name=$PT_name
provider=$PT_provider
[ -n "$name" ] || fail "no service named"
case $name in -* | */*) fail "'$name' is not a valid service name" ;; esac
if [ -z "$provider" ]; then
  if [ -d /run/systemd/system ] && command -v systemctl >/dev/null 2>&1; then provider=systemd
  elif command -v rc-service >/dev/null 2>&1; then provider=openrc
  elif command -v service >/dev/null 2>&1 || [ -d /etc/init.d ]; then provider=sysv
  else fail "no service manager that this task knows: systemd, openrc, sysv"; fi
fi
sysv() { if command -v service >/dev/null 2>&1; then service "$name" "$1"; else "/etc/init.d/$name" "$1"; fi; }
case $provider in
  systemd)
    running() { systemctl is-active --quiet -- "$name"; }
    enabled() { systemctl is-enabled --quiet -- "$name" 2>/dev/null; }
    act() { run systemctl "$1" -- "$name"; } ;;
  openrc)
    running() { rc-service "$name" status >/dev/null 2>&1; }
    enabled() { rc-update show | grep -q "^ *$name *|"; }
    act() { case $1 in enable) run rc-update add "$name" ;; disable) run rc-update del "$name" ;; *) run rc-service "$name" "$1" ;; esac; } ;;
  sysv)
    running() { sysv status >/dev/null 2>&1; }
    enabled() { ls /etc/rc[2345].d/S*"$name" >/dev/null 2>&1; }
    act() {
      case $1 in
        enable) if command -v update-rc.d >/dev/null 2>&1; then run update-rc.d "$name" defaults; run update-rc.d "$name" enable; else run chkconfig "$name" on; fi ;;
        disable) if command -v update-rc.d >/dev/null 2>&1; then run update-rc.d "$name" disable; else run chkconfig "$name" off; fi ;;
        *) run sysv "$1" ;;
      esac
    } ;;
  *) fail "unknown provider '$provider'; this task knows systemd, openrc and sysv" ;;
esac

state() { if running; then echo running; else echo stopped; fi; }
in_sync() { printf '{"status": "in_sync"}\n'; }
change() { # change STATUS: does what was asked for
  act "$PT_action"
  printf '{"status": "%s"}\n' "$1"
}
case $PT_action in
  status)
    if enabled; then on=true; else on=false; fi
    printf '{"status": "%s", "enabled": "%s"}\n' "$(state)" "$on" ;;
  start) if running; then in_sync; else change started; fi ;;
  stop) if running; then change stopped; else in_sync; fi ;;
  restart) change restarted ;;
  enable) if enabled; then in_sync; else change enabled; fi ;;
  disable) if enabled; then change disabled; else in_sync; fi ;;
  *) fail "unknown action '$PT_action'" ;;
esac
