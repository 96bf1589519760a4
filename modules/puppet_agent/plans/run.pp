# @summary Runs the Puppet agent on targets that have one
# @param targets Where to run it
# @param noop Whether to report changes without making them
# @param environment The environment to use
# @param tags Only resources with one of these tags
plan puppet_agent::run(
  TargetSpec $targets,
  Boolean $noop = false,
  Optional[String[1]] $environment = undef,
  Optional[Variant[String[1], Array[String[1]]]] $tags = undef
) {
  $versions = run_task('puppet_agent::version', $targets, 'Check for Puppet agent', '_catch_errors' => true)
  $unknown = $versions.error_set.map |$result| {
    Result.new({ 'target' => $result.target, 'value' => { '_error' => {
      'msg'     => "The task puppet_agent::version failed: ${result.error.message}. Unable to determine if the Puppet agent is installed.",
      'kind'    => 'puppet_agent/agent-version-error',
      'details' => {} } } })
  }
  $missing = $versions.ok_set.results.filter |$result| { $result['version'] =~ Undef }.map |$result| {
    Result.new({ 'target' => $result.target, 'value' => { '_error' => {
      'msg'     => 'Puppet agent is not installed on the target. Run the puppet_agent::install task on these targets to install the Puppet agent.',
      'kind'    => 'puppet_agent/agent-not-installed',
      'details' => {} } } })
  }
  $ready = $versions.ok_set.results.filter |$result| { $result['version'] !~ Undef }.map |$result| { $result.target }
  $options = { 'noop' => $noop, 'environment' => $environment, 'tags' => $tags }.filter |$_name, $value| { $value !~ Undef }
  $ran = run_task('puppet_agent::run', $ready, 'Run Puppet agent', $options + { '_catch_errors' => true })
  return ResultSet.new($unknown + $missing + $ran.results)
}
