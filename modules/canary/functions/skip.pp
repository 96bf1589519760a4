# @summary Results for targets on which nothing was done
# @param targets The targets that were left out
function canary::skip(Array[Variant[Target, String]] $targets) >> ResultSet {
  ResultSet.new($targets.map |$one| {
    $target = $one ? { Target => $one, default => get_target($one) }
    Result.new({ 'target' => $target, 'value' => { '_error' => {
      'msg'     => "Skipped ${target.name} because of a previous failure",
      'kind'    => 'canary/skipped-target',
      'details' => {},
    } } })
  })
}
