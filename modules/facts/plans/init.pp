# @summary Gathers facts of targets and remembers them for the rest of the plan
# @param targets The targets to ask
plan facts(TargetSpec $targets) {
  $gathered = facts::gather($targets)
  # Where no agent runs, as on Windows, the task knows the facts that matter most.
  $others = $gathered.error_set.filter |$result| { $result.error.kind != 'puppetlabs.tasks/connect-error' }
  if $others.empty { return $gathered }
  $asked = run_task('facts', $others.map |$result| { $result.target }, '_catch_errors' => true)
  $asked.ok_set.each |$result| { add_facts($result.target, $result.value) }
  return ResultSet.new($gathered.map |$result| {
    $again = $asked.find($result.target.name)
    $again ? { undef => $result, default => $again }
  })
}
