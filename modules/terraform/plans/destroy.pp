# @summary Destroys what a Terraform project made
# @param dir The folder of the project; relative ones start in the working directory
# @param state The file of the state, relative to dir
# @param state_out Another file to write the state to
# @param target The resource, or resources, to limit it to
# @param var Values of variables
# @param var_file A file, or files, with values of variables
plan terraform::destroy(
  Optional[String[1]] $dir = undef,
  Optional[String[1]] $state = undef,
  Optional[String[1]] $state_out = undef,
  Optional[Variant[String[1], Array[String[1]]]] $target = undef,
  Optional[Hash] $var = undef,
  Optional[Variant[String[1], Array[String[1]]]] $var_file = undef
) {
  return run_task('terraform::destroy', 'localhost', {
    'dir' => $dir, 'state' => $state, 'state_out' => $state_out, 'target' => $target, 'var' => $var, 'var_file' => $var_file })
}
