#!/bin/sh
# Prepares a project's folder, once.
. "$PT__installdir/terraform/files/terraform.sh"
if [ -d "${PT_dir:-.}/.terraform" ]; then
    echo '{"stdout": "Terraform directory already initialized"}'
    exit 0
fi
run_terraform terraform/init-error init -input=false
print_output
