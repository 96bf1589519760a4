# @summary The results of both sets in one
# @param merger The first ones
# @param mergee The others
function canary::merge(ResultSet $merger, ResultSet $mergee) >> ResultSet {
  ResultSet.new($merger.results + $mergee.results)
}
