#!/bin/sh
# All packages of a machine at once.
. "$PT__installdir/shell_task_helper/files/task.sh"
make_scratch apt/failure
command -v apt-get >/dev/null 2>&1 || fail apt/failure "this machine has no apt-get"
export DEBIAN_FRONTEND=noninteractive
set -- "$PT_action"
[ "$PT_action" = update ] || set -- "$@" -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold
apt-get "$@" </dev/null >"$scratch/out" 2>"$scratch/err" || {
    message=$(json_file "$scratch/err")
    printf '{"status": "failure", "error": %s, "_error": {"kind": "apt/failure", "msg": %s, "details": {}}}\n' "$message" "$message"
    exit 1
}
printf '{"status": %s}\n' "$(json_text "$(cat "$scratch/out")")"
