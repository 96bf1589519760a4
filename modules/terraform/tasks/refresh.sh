#!/bin/sh
# Updates the state.
. "$PT__installdir/terraform/files/terraform.sh"
run_terraform terraform/refresh-error refresh -input=false
print_output
