# What bundled tasks in sh share. Sourced: . "$PT__installdir/shell_task_helper/files/task.sh"
PATH=$PATH:/opt/puppetlabs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
tab=$(printf '\t')
umask 077

# json_text TEXT, json_file FILE: as a JSON string, with its quotes. A dot keeps line ends that a pipe would drop.
json_text() { printf '%s.' "$1" | json_string; }
json_file() { { cat "$1"; printf .; } | json_string; }
json_string() {
    printf '"'
    tr -d '\000-\010\013\014\016-\037' | sed -e 's/[\\"]/\\&/g' -e "s/$tab/\\\\t/g" |
        LC_ALL=C awk 'NR > 1 { printf "\\n" } { gsub(/\r/, "\\r"); printf "%s", $0 }' | sed -e '$s/\.$//'
    printf '"'
}

# fail KIND MESSAGE: the task's error, and its end.
fail() {
    printf '{"_error": {"kind": "%s", "msg": %s, "details": {}}}\n' "$1" "$(json_text "$2")"
    exit 1
}

# plain_text FILE: its content without colours.
plain_text() { sed "s/$(printf '\033')\[[0-9;]*m//g" "$1"; }

# json_lines TEXT: see json.awk. Status 1 when the text is not JSON.
json_lines() {
    printf '%s' "$1" | LC_ALL=C awk -f "$PT__installdir/shell_task_helper/files/json.awk"
}

# A folder of the task's own that goes when it ends.
make_scratch() {
    scratch=$(mktemp -d) || fail "$1" "no temporary folder can be made"
    trap 'rm -rf "$scratch"' EXIT
}

# find_puppet KIND: sets `puppet` to the program.
find_puppet() {
    puppet=/opt/puppetlabs/bin/puppet
    [ -x "$puppet" ] || puppet=$(command -v puppet) || fail "$1" "Puppet executable 'puppet' does not exist"
}
