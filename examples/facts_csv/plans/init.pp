# Asks all machines what they are and writes a table with a line for each. A machine that cannot be asked has a line with
# the reason.
#
# @summary Write facts of machines to a CSV file
# @param targets The machines
# @param file Where the table goes, a path on this machine
# @param columns The facts, with dots between the parts of their names
plan facts_csv(
  TargetSpec $targets = 'all',
  String[1] $file,
  Array[String[1], 1] $columns = ['os.name', 'os.release.full', 'kernel', 'cpus', 'memory_mib']
) {
  $os = run_plan('facts', 'targets' => $targets)
  $hardware = run_task('facts_csv::hardware', $os.ok_set.targets, 'look at the hardware', '_catch_errors' => true)
  $hardware.ok_set.each |$one| { add_facts($one.target, $one.value) }

  $lines = get_targets($targets).map |$target| {
    $result = [$hardware, $os].map |$set| { $set.find($target.name) }.filter |$one| { $one }[0]
    $known = facts($target)
    $values = $columns.map |$column| { get($known, $column) }
    facts_csv::line([$target.name] + $values + [if $result.ok { '' } else { $result.error.msg }])
  }
  $head = facts_csv::line(['target'] + $columns + ['problem'])
  file::write($file, ([$head] + $lines).join)
  $failed = $os.count - $hardware.ok_set.count
  out::message("${file}: ${lines.length} machines, ${failed} of them could not be asked")
  return({ 'file' => $file, 'machines' => $lines.length, 'failed' => $failed })
}
