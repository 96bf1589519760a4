# Ruby's packages take long to load, so they come when a library is missing or code names them (Gem::Version).
begin
  verbose = $VERBOSE
  $VERBOSE = nil
  volley_require('rubygems')
ensure
  $VERBOSE = verbose
end
