#!/bin/sh
# Makes what a project describes.
. "$PT__installdir/terraform/files/terraform.sh"
run_terraform terraform/apply-error apply -auto-approve -input=false
print_output
