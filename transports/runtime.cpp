#include "transports/runtime.hpp"

#include "support/process/broken_pipe.hpp"

namespace volley::transports {

Runtime::Runtime() : loop_(1) { survive_broken_pipes(); }

}  // namespace volley::transports
