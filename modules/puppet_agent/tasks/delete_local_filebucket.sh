#!/bin/sh
# Empties the agent's file bucket.
. "$PT__installdir/shell_task_helper/files/task.sh"
kind=puppet_agent/cannot-remove-error
find_puppet puppet_agent/no-puppet-bin-error
folder=$("$puppet" config print clientbucketdir 2>/dev/null)
case $folder in /?*/?*) ;; *) fail $kind "clientbucketdir: '$folder' is not a folder that can be emptied" ;; esac
if [ -d "$folder" ]; then
    find "$folder" -mindepth 1 -delete 2>/dev/null || [ "$PT_force" = true ] || fail $kind "not all of '$folder' can be removed"
else
    [ "$PT_force" = true ] || fail $kind "clientbucketdir: '$folder' does not exist or is not a directory"
fi
echo '{"success": true}'
