# What the tasks of this module share. They run where the project of Terraform is, usually on this machine.
. "$PT__installdir/shell_task_helper/files/task.sh"

# absolute PATH BASE
absolute() { case $1 in /*) printf '%s' "$1" ;; *) printf '%s/%s' "${2%/}" "$1" ;; esac; }

# The elements of a parameter that is a text or a list of texts, one a line.
each_of() {
    case $1 in
        \[*) json_lines "$1" | while IFS=$tab read -r _ element; do printf %b "$element"; echo; done ;;
        ?*) printf '%s\n' "$1" ;;
    esac
}

# run_terraform KIND VERB OPTION...: with what the parameters say; standard output is in $scratch/out.
run_terraform() {
    kind=$1 verb=$2
    shift 2
    command -v terraform >/dev/null 2>&1 || fail terraform/validation-error "Could not find executable 'terraform'"
    make_scratch "$kind"
    if [ -n "$PT_dir" ]; then cd "$PT_dir" 2>/dev/null || fail terraform/validation-error "Could not find directory '$PT_dir'"; fi
    set -- "$verb" -no-color "$@"
    [ -z "$PT_state" ] || set -- "$@" "-state=$(absolute "$PT_state" "$PWD")"
    [ -z "$PT_state_out" ] || set -- "$@" "-state-out=$(absolute "$PT_state_out" "$PWD")"
    each_of "$PT_target" >"$scratch/targets"
    while IFS= read -r element; do set -- "$@" "-target=$element"; done <"$scratch/targets"
    if [ -n "$PT_var" ]; then  # in a file: a value may be a secret
        printf '%s\n' "$PT_var" >"$scratch/var.tfvars.json"
        set -- "$@" "-var-file=$scratch/var.tfvars.json"
    fi
    each_of "$PT_var_file" >"$scratch/files"
    while IFS= read -r element; do set -- "$@" "-var-file=$(absolute "$element" "$PWD")"; done <"$scratch/files"
    terraform "$@" </dev/null >"$scratch/out" 2>"$scratch/err" || fail "$kind" "$(cat "$scratch/err")"
}

print_output() { printf '{"stdout": %s}\n' "$(json_file "$scratch/out")"; }
