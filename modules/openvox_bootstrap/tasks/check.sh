#!/bin/sh
# Compares the version of the installed agent. Ends with 1 when it is not as wanted.
. "$PT__installdir/shell_task_helper/files/task.sh"

find_puppet openvox_bootstrap/check-failed
have=$("$puppet" --version 2>/dev/null | tail -n 1)
case $have in [0-9]*) ;; *) fail openvox_bootstrap/check-failed "$puppet does not tell its version" ;; esac
if [ -z "$PT_version" ]; then
    printf '{"puppet_version": %s, "valid": true}\n' "$(json_text "$have")"
    exit 0
fi
# Parts that one of them lacks count as 0: 8 is 8.0.0.
order=$(awk -v a="$have" -v b="$PT_version" 'BEGIN {
    split(a, x, "."); split(b, y, ".")
    for (i = 1; i <= 6; i++) if (x[i] + 0 != y[i] + 0) { print (x[i] + 0 < y[i] + 0) ? "lt" : "gt"; exit }
    print "eq"
}')
valid=false
case ${PT_test:-eq}:$order in eq:eq | lt:lt | gt:gt | le:lt | le:eq | ge:gt | ge:eq) valid=true ;; esac
printf '{"puppet_version": %s, "test": %s, "test_version": %s, "valid": %s}\n' \
    "$(json_text "$have")" "$(json_text "${PT_test:-eq}")" "$(json_text "$PT_version")" "$valid"
[ "$valid" = true ]
