# @summary Runs a command or script with environment variables that stay out of the command line
# The variables are read from the environment variable BOLT_ENV_VARS, a JSON object.
# @param targets Where to run it
# @param command The command to run
# @param script The script to run
plan secure_env_vars(
  TargetSpec $targets,
  Optional[String] $command = undef,
  Optional[String] $script = undef
) {
  unless $command =~ NotUndef or $script =~ NotUndef {
    fail_plan('Must specify a command or a script to run.', 'bolt/plan-failure')
  }
  if $command =~ NotUndef and $script =~ NotUndef {
    fail_plan('Cannot specify both a command and a script.', 'bolt/plan-failure')
  }
  $text = system::env('BOLT_ENV_VARS')
  $variables = $text ? { undef => {}, default => parsejson($text) }
  return $command ? {
    undef   => run_script($script, $targets, '_env_vars' => $variables),
    default => run_command($command, $targets, '_env_vars' => $variables),
  }
}
