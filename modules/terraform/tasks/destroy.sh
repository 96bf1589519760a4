#!/bin/sh
# Destroys what a project made.
. "$PT__installdir/terraform/files/terraform.sh"
run_terraform terraform/destroy-error destroy -auto-approve -input=false
print_output
