# @summary The same as aggregate::targets, under the name from when targets were called nodes
# @param resultset The results of one action
function aggregate::nodes(ResultSet $resultset) >> Hash {
  aggregate::targets($resultset)
}
