#!/bin/sh
# The outputs of a project: the JSON that Terraform prints is the result.
. "$PT__installdir/terraform/files/terraform.sh"
run_terraform terraform/output-error output -json
cat "$scratch/out"
