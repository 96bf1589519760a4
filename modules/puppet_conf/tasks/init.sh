#!/bin/sh
# Settings of puppet.conf, through `puppet config`.
. "$PT__installdir/shell_task_helper/files/task.sh"

section=${PT_section:-main}
refuse() {
    printf '{"status": "failure", "error": %s, "_error": {"kind": "puppet_conf/failure", "msg": %s, "details": {}}}\n' \
        "$(json_text "$1")" "$(json_text "$1")"
    exit 1
}
for word in "$section" "$PT_setting"; do
    case $word in -*) refuse "'$word' is not a valid setting or section name" ;; esac
done
[ "$PT_action" != set ] || [ -n "${PT_value+x}" ] || refuse "You must pass a value argument"
find_puppet puppet_conf/failure
make_scratch puppet_conf/failure
case $PT_action in
    get) "$puppet" config print --section "$section" "$PT_setting" ;;
    set) "$puppet" config set --section "$section" -- "$PT_setting" "$PT_value" ;;
    delete) "$puppet" config delete --section "$section" "$PT_setting" ;;
    *) refuse "unknown action '$PT_action'" ;;
esac >"$scratch/out" 2>"$scratch/err" || refuse "$(plain_text "$scratch/err")"
if [ "$PT_action" = set ]; then status=$PT_value; else status=$(cat "$scratch/out"); fi
printf '{"status": %s, "setting": %s, "section": %s}\n' "$(json_text "$status")" "$(json_text "$PT_setting")" "$(json_text "$section")"
