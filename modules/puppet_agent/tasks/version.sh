#!/bin/sh
# The version of the agent's package: its own file, or what a distribution's package says.
. "$PT__installdir/shell_task_helper/files/task.sh"
file=/opt/puppetlabs/puppet/VERSION
if [ -r "$file" ]; then
    version=$(cat "$file") source=$file
elif source=$(command -v puppet); then
    version=$("$source" --version 2>/dev/null | tail -n 1)
else
    echo '{"version": null, "source": null}'
    exit 0
fi
printf '{"version": %s, "source": %s}\n' "$(json_text "$version")" "$(json_text "$source")"
