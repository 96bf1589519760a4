# @summary Makes what a Terraform project describes
# @param dir The folder of the project; relative ones start in the working directory
# @param state The file of the state, relative to dir
# @param state_out Another file to write the state to
# @param target The resource, or resources, to limit it to
# @param var Values of variables
# @param var_file A file, or files, with values of variables
# @param return_output Whether the plan returns the outputs instead of what Terraform printed
# @param refresh_state Whether the state is refreshed before the outputs are read
plan terraform::apply(
  Optional[String[1]] $dir = undef,
  Optional[String[1]] $state = undef,
  Optional[String[1]] $state_out = undef,
  Optional[Variant[String[1], Array[String[1]]]] $target = undef,
  Optional[Hash] $var = undef,
  Optional[Variant[String[1], Array[String[1]]]] $var_file = undef,
  Optional[Boolean] $return_output = false,
  Optional[Boolean] $refresh_state = false
) {
  $where = { 'dir' => $dir, 'state' => $state }
  $values = { 'var' => $var, 'var_file' => $var_file }
  $applied = run_task('terraform::apply', 'localhost', $where + $values + { 'state_out' => $state_out, 'target' => $target })
  unless $return_output { return $applied }

  if $refresh_state { run_task('terraform::refresh', 'localhost', $where + $values) }
  return run_task('terraform::output', 'localhost', $where).first.value
}
