#!/bin/sh
# First configuration of an agent: puppet.conf, csr_attributes.yaml, the service.
. "$PT__installdir/shell_task_helper/files/task.sh"

find_puppet openvox_bootstrap/configure-failed
folder=$("$puppet" config print confdir) || fail openvox_bootstrap/configure-failed "puppet does not tell its confdir"
make_scratch openvox_bootstrap/configure-failed
good=true

# One setting a line: section, name, value.
write_settings() {
    json_lines "$PT_puppet_conf" >"$scratch/settings" || fail openvox_bootstrap/configure-failed "puppet_conf is not JSON"
    errors= successful=true
    while IFS=$tab read -r section name value; do
        section=$(printf %b "$section") name=$(printf %b "$name") value=$(printf %b "$value")
        "$puppet" config set --section "$section" "$name" "$value" </dev/null >"$scratch/out" 2>&1 && continue
        successful=false good=false
        errors="$errors${errors:+, }$(json_text "--section=$section $name=$value"): $(json_text "$(plain_text "$scratch/out")")"
    done <"$scratch/settings"
    printf '"puppet_conf": {"path": %s, "contents": %s, "successful": %s%s}, ' "$(json_text "$folder/puppet.conf")" \
        "$(json_file "$folder/puppet.conf" 2>/dev/null)" "$successful" "${errors:+, \"errors\": {$errors\}}"
}

# JSON strings are YAML strings too.
write_attributes() {
    json_lines "$PT_csr_attributes" >"$scratch/attributes" || fail openvox_bootstrap/configure-failed "csr_attributes is not JSON"
    {
        echo ---
        for heading in custom_attributes extension_requests; do
            grep -q "^$heading$tab" "$scratch/attributes" || continue
            echo "$heading:"
            grep "^$heading$tab" "$scratch/attributes" | while IFS=$tab read -r _ name value; do
                printf '  %s: %s\n' "$(json_text "$(printf %b "$name")")" "$(json_text "$(printf %b "$value")")"
            done
        done
    } >"$scratch/csr_attributes.yaml"
    file=$folder/csr_attributes.yaml successful=true
    { cp "$scratch/csr_attributes.yaml" "$file" && chmod 640 "$file"; } 2>"$scratch/out" || { successful=false good=false; }
    # Where a server is installed too, it is the one that reads the file.
    id puppet >/dev/null 2>&1 && chown puppet:puppet "$file" 2>/dev/null
    printf '"csr_attributes": {"path": %s, "contents": %s, "successful": %s}, ' "$(json_text "$file")" \
        "$(json_file "$scratch/csr_attributes.yaml")" "$successful"
}

set_service() {
    running=stopped successful=true
    [ "${PT_puppet_service_running:-true}" = true ] && running=running
    set -- resource service puppet "ensure=$running" "enable=${PT_puppet_service_enabled:-true}"
    "$puppet" "$@" </dev/null >"$scratch/out" 2>&1 || { successful=false good=false; }
    printf '"puppet_service": {"command": %s, "output": %s, "successful": %s}' "$(json_text "$puppet $*")" \
        "$(json_text "$(plain_text "$scratch/out")")" "$successful"
}

{
    printf '{'
    [ -z "$PT_puppet_conf" ] || write_settings
    [ -z "$PT_csr_attributes" ] || write_attributes
    set_service
    printf '}\n'
} >"$scratch/answer"
cat "$scratch/answer"
[ "$good" = true ]
