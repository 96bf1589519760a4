#!/bin/sh
set -e
mkdir -p "$PT_folder"
cd "$PT_folder"
if [ -z "$PT_version" ]; then
  mv previous current
elif [ "$PT_version" = broken ]; then
  [ ! -f current ] || cp current previous
  echo "$PT_version" > current
  echo "the new version does not start" >&2
  exit 1
else
  [ ! -f current ] || cp current previous
  echo "$PT_version" > current
fi
printf '{"version": "%s"}\n' "$(cat current)"
