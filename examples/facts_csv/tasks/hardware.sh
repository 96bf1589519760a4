#!/bin/sh
cpus=$(getconf _NPROCESSORS_ONLN)
memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)
printf '{"kernel": "%s", "cpus": %d, "memory_mib": %d}\n' "$(uname -r)" "$cpus" $((memory / 1024))
