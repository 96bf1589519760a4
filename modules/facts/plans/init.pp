# @summary Gathers facts of targets and remembers them for the rest of the plan
# @param targets The targets to ask
plan facts(TargetSpec $targets) {
  $results = run_task('facts', $targets, '_catch_errors' => true)
  $results.ok_set.each |$result| { add_facts($result.target, $result.value) }
  return $results
}
