#!/bin/sh
# `puppet facts diff`, which agents of version 6.20 to 6.x have.
. "$PT__installdir/shell_task_helper/files/task.sh"
find_puppet puppet_agent/no-puppet-bin-error
make_scratch puppet_agent/failure
have=$("$puppet" --version 2>/dev/null | tail -n 1)
oldest=20
[ -z "$PT_exclude" ] || oldest=22
minor=${have#6.}
minor=${minor%%.*}
case $have in
    6.*) [ "$minor" -ge "$oldest" ] ;;
    *) false ;;
esac || fail puppet_agent/no-suitable-puppet-version \
    "puppet facts diff command is only available on puppet 6.x(>= 6.$oldest.0), target has: $have"
set -- facts diff
[ -z "$PT_exclude" ] || set -- "$@" --exclude "$PT_exclude"
"$puppet" "$@" </dev/null >"$scratch/out" 2>"$scratch/err" || fail puppet_agent/failure "$(cat "$scratch/err")"
if [ "$(tr -d ' \n' <"$scratch/out")" = '{}' ]; then echo "No differences found"; else cat "$scratch/out"; fi
