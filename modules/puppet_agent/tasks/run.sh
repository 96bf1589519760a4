#!/bin/sh
# Runs the agent once. Its report is YAML, which the Ruby that the agent itself runs on turns into JSON: from the line
# "#!ruby" of this file on.
. "$PT__installdir/shell_task_helper/files/task.sh"

find_puppet puppet_agent/no-puppet-bin-error
make_scratch puppet_agent/fail-to-start-error
setting() { "$puppet" config print --section agent "$1" 2>/dev/null; }
# Of a file that is not there yet: 0.
changed() { if [ -f "$1" ]; then stat -c %Y.%s.%i "$1" 2>/dev/null || ls -ldi "$1"; else echo 0; fi; }

report=$(setting lastrunreport)
[ -n "$report" ] || fail puppet_agent/no-last-run-report-error "Could not find the location of the last run report"
set -- agent --onetime --verbose --no-daemonize --no-usecacheonfailure --no-splay --show_diff --detailed-exitcodes --color false
[ "$PT_noop" != true ] || set -- "$@" --noop
[ -z "$PT_environment" ] || set -- "$@" "--environment=$PT_environment"
case $PT_tags in
    '') ;;
    \[*) set -- "$@" "--tags=$(json_lines "$PT_tags" | while IFS=$tab read -r at tag; do [ "$at" = 0 ] || printf ,; printf %b "$tag"; done)" ;;
    *) set -- "$@" "--tags=$PT_tags" ;;
esac
run_once() {
    before=$(changed "$report")
    "$puppet" "$@" </dev/null >"$scratch/out" 2>&1
    code=$?
}
run_once "$@"
if [ "$code" != 0 ] && [ "$code" != 2 ] && [ "$(changed "$report")" = "$before" ]; then
    [ ! -e "$(setting agent_disabled_lockfile)" ] || fail puppet_agent/agent-disabled-error "Puppet agent is disabled"
    lock=$(setting agent_catalog_run_lockfile)
    if [ -e "$lock" ]; then # another run: wait for its end, ten minutes at most
        waited=0
        while [ -e "$lock" ] && [ "$waited" -lt 600 ]; do sleep 1; waited=$((waited + 1)); done
        [ ! -e "$lock" ] || fail puppet_agent/agent-locked-error "Puppet agent run is already in progress"
        run_once "$@"
    fi
fi
output=$(plain_text "$scratch/out")
[ -f "$report" ] || fail puppet_agent/no-last-run-report-error "Did not detect report, Puppet agent may not be configured: $output"
[ "$(changed "$report")" != "$before" ] || fail puppet_agent/no-last-run-report-error "The Puppet run failed in an unexpected way: $output"

ruby=/opt/puppetlabs/puppet/bin/ruby
if [ ! -x "$ruby" ]; then
    read -r line <"$puppet"
    case $line in '#!'*ruby*) ruby=${line#??} ;; *) ruby=ruby ;; esac
fi
# Without quotes: it may be `/usr/bin/env ruby`.
$ruby -x "$0" "$report" >"$scratch/report" 2>"$scratch/err" ||
    fail puppet_agent/invalid-last-run-report-error "Report $report could not be loaded: $(head -n 1 "$scratch/err")"
if grep -q '^failed$' "$scratch/report"; then fail puppet_agent/agent-run-error "Puppet agent run failed: $output"; fi
printf '{"report": %s, "exitcode": %s, "_output": %s}\n' "$(sed 1d "$scratch/report")" "$code" "$(json_text "$output")"
exit 0
#!ruby
require 'date'
require 'json'
require 'yaml'
# Objects of Puppet's classes count as hashes, dates as texts.
tree = YAML.parse_file(ARGV[0])
tree.each { |node| node.tag = nil if node.respond_to?(:tag=) }
report = tree.to_ruby
puts report['status'], JSON.generate(report)
