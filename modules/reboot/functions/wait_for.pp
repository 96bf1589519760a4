# @summary Waits until targets have a different boot time than before; returns the names of those that do not in time
# @param names The names of the targets
# @param before Their boot times before
# @param deadline When to give up
# @param interval Seconds between two looks
function reboot::wait_for(Array[String] $names, ResultSet $before, Timestamp $deadline, Integer $interval) {
  if $names.empty { return [] }
  wait_until_available($names, 'wait_time' => 0, '_catch_errors' => true)
  $now = run_task('reboot::last_boot_time', $names, '_catch_errors' => true)
  $left = $now.filter |$one| {
    !$one.ok or $one['_output'] == $before.find($one.target.name)['_output']
  }.map |$one| { $one.target.name }
  if $left.empty or Timestamp() >= $deadline { return $left }
  ctrl::sleep($interval)
  reboot::wait_for($left, $before, $deadline, $interval)
}
