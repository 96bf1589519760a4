#!/bin/sh
# Packages through the system's own manager.

json() { printf '%s' "$1" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' | tr '\n\t' '  ' | tr -d '\000-\037'; }
fail() {
  printf '{"_error": {"kind": "package/failure", "msg": "%s", "details": {"exit_code": %s}}}\n' "$(json "$1")" "${2:-1}"
  exit "${2:-1}"
}
# Runs a command; its output is shown only when it fails.
run() {
  output=$("$@" 2>&1) || fail "$* failed: $output" $?
}

name=$PT_name
version=$PT_version
provider=$PT_provider
options=$PT_manager_options  # words, split where they are used
[ -n "$name" ] || fail "no package named"
case $name in -*) fail "'$name' is not a valid package name" ;; esac
if [ -z "$provider" ]; then
  for program in apt-get dnf yum zypper apk; do
    command -v "$program" >/dev/null 2>&1 || continue
    provider=$program
    break
  done
fi
case $provider in
  apt | apt-get)
    export DEBIAN_FRONTEND=noninteractive
    installed() { dpkg-query -W -f='${db:Status-Abbrev} ${Version}' "$1" 2>/dev/null | sed -n 's/^.i  *//p'; }
    latest() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p'; }
    install() { run apt-get install -y -q $options "$1${2:+=$2}"; }
    upgrade() { run apt-get install -y -q --only-upgrade $options "$1${2:+=$2}"; }
    uninstall() { run apt-get remove -y -q $options "$1"; } ;;
  dnf | yum)
    installed() { rpm -q --qf '%{VERSION}-%{RELEASE}' "$1" 2>/dev/null | grep -v 'is not installed'; }
    latest() { "$provider" -q list available "$1" 2>/dev/null | awk 'NR > 1 { print $2; exit }'; }
    install() { run "$provider" install -y -q $options "$1${2:+-$2}"; }
    upgrade() { run "$provider" update -y -q $options "$1${2:+-$2}"; }
    uninstall() { run "$provider" remove -y -q $options "$1"; } ;;
  zypper)
    installed() { rpm -q --qf '%{VERSION}-%{RELEASE}' "$1" 2>/dev/null | grep -v 'is not installed'; }
    latest() { zypper -q info "$1" 2>/dev/null | sed -n 's/^Version *: //p'; }
    install() { run zypper -n install $options "$1${2:+=$2}"; }
    upgrade() { run zypper -n update $options "$1${2:+=$2}"; }
    uninstall() { run zypper -n remove $options "$1"; } ;;
  apk)
    installed() { apk info -e -v "$1" 2>/dev/null | sed "s/^$1-//"; }
    latest() { apk policy "$1" 2>/dev/null | sed -n '2s/^ *\(.*\):$/\1/p'; }
    install() { run apk add -q $options "$1${2:+=$2}"; }
    upgrade() { run apk add -q -u $options "$1${2:+=$2}"; }
    uninstall() { run apk del -q $options "$1"; } ;;
  '') fail "no package manager that this task knows: apt, dnf, yum, zypper, apk" ;;
  *) fail "unknown provider '$provider'; this task knows apt, dnf, yum, zypper and apk" ;;
esac

before=$(installed "$name")
case $PT_action in
  status)
    if [ -z "$before" ]; then
      printf '{"status": "uninstalled", "version": ""}\n'
      exit 0
    fi
    newest=$(latest "$name")
    if [ -n "$newest" ] && [ "$newest" != "$before" ]; then
      printf '{"status": "out of date", "version": "%s", "latest": "%s"}\n' "$(json "$before")" "$(json "$newest")"
    else
      printf '{"status": "up to date", "version": "%s"}\n' "$(json "$before")"
    fi ;;
  install)
    if [ -n "$before" ] && { [ -z "$version" ] || [ "$version" = "$before" ]; }; then
      printf '{"status": "present", "version": "%s"}\n' "$(json "$before")"
      exit 0
    fi
    install "$name" "$version"
    printf '{"status": "installed", "version": "%s"}\n' "$(json "$(installed "$name")")" ;;
  upgrade)
    if [ -n "$before" ]; then upgrade "$name" "$version"; else install "$name" "$version"; fi
    printf '{"status": "upgraded", "version": "%s", "old_version": "%s"}\n' "$(json "$(installed "$name")")" "$(json "$before")" ;;
  uninstall)
    if [ -z "$before" ]; then
      printf '{"status": "absent"}\n'
      exit 0
    fi
    uninstall "$name"
    printf '{"status": "uninstalled"}\n' ;;
  *) fail "unknown action '$PT_action'" ;;
esac
