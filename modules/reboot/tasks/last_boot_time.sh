#!/bin/sh
if [ -r /proc/stat ]; then
  sed -n 's/^btime //p' /proc/stat
else
  who -b
fi
