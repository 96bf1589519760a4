# @summary Prints one line for each target with the system that it runs
# @param targets The targets to ask
plan facts::info(TargetSpec $targets) {
  $results = run_task('facts', $targets, '_catch_errors' => true)
  return $results.ok_set.map |$result| {
    $os = $result['os']
    "${result.target.name}: ${os['name']} ${os['release']['full']} (${os['family']})"
  }
}
