# @summary Takes the facts of targets from PuppetDB
# @param targets The targets to ask for
plan puppetdb_fact(TargetSpec $targets) {
  $all = get_targets($targets)
  $known = puppetdb_fact($all.map |$target| { $target.host })
  $all.each |$target| { add_facts($target, $known[$target.host]) }
  return $known
}
