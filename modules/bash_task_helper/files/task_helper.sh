# shellcheck shell=bash
# What tasks in bash (4 or later) have in common. Source it first:
#
#   source "$PT__installdir/bash_task_helper/files/task_helper.sh"
#
# Parameters become variables without their PT_. From here on output is kept, and the task's result is printed when it
# ends: status, what task-output said, and as _output the message and, when it failed, what was printed.

for _task_variable in ${!PT_*}; do
    declare "${_task_variable#PT_}=${!_task_variable}"
done

_task_results=() _task_message='' _task_verbose=false
_task_log=$(mktemp)
exec 3>&1 4>&2 >"$_task_log" 2>&1

# task-json-escape: standard input as the inside of a JSON string. Bytes that are not UTF-8 are left out.
task-json-escape() {
    local text code character LC_ALL=C
    if command -v iconv >/dev/null; then
        IFS= read -r -d '' text < <(iconv -c -f UTF-8 -t UTF-8 2>/dev/null) || true
    else
        IFS= read -r -d '' text || true
    fi
    text=${text//\\/\\\\} text=${text//\"/\\\"}
    text=${text//$'\n'/\\n} text=${text//$'\t'/\\t} text=${text//$'\r'/\\r}
    if [[ $text == *[$'\001'-$'\037']* ]]; then
        for code in {1..31}; do
            printf -v character "\\x$(printf %x "$code")"
            printf -v code '\\u%04x' "$code"
            text=${text//"$character"/"$code"}
        done
    fi
    printf %s "$text"
}

# task-output KEY TEXT: one more value of the result.
task-output() { _task_results+=("\"$1\": \"$(printf %s "${2-}" | task-json-escape)\""); }

# task-output-json KEY JSON: the same for a value that is JSON already.
task-output-json() { _task_results+=("\"$1\": $2"); }

# task-verbose-output [true|false]: what was printed is in _output also when the task succeeds.
task-verbose-output() { _task_verbose=${1:-true}; }

# task-succeed [MESSAGE]
task-succeed() {
    _task_message=${1-}
    exit 0
}

# task-fail [MESSAGE [STATUS]]
task-fail() {
    _task_message=${1-}
    exit "${2:-1}"
}

# The names of the first version.
success() {
    exec >&3
    trap - EXIT
    rm -f "$_task_log"
    printf '%s\n' "${1-}"
    exit 0
}
fail() { task-fail "$@"; }

# task-exit [STATUS]: prints the result. Runs by itself when the task ends; a trap on EXIT of the task's own calls it.
task-exit() {
    local status=${1:-$?} text='' result
    trap - EXIT
    if [[ $status != 0 || $_task_verbose == true ]]; then text=$(cat "$_task_log"); fi
    rm -f "$_task_log"
    if [[ -n $text && -n $_task_message ]]; then text+=$'\n'; fi
    text+=$_task_message
    if [[ $status == 0 ]]; then result='"status": "success"'; else result='"status": "error"'; fi
    local part
    for part in "${_task_results[@]}"; do result+=", $part"; done
    printf '{%s, "_output": "%s"}\n' "$result" "$(printf %s "$text" | task-json-escape)" >&3
    exit "$status"
}
trap task-exit EXIT
