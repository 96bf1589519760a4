#!/bin/sh
# volley script run hello/scripts/disk.sh /tmp -t all
df -P "${1:-/}" | awk 'NR == 2 { print $6 " is " $5 " full" }'
