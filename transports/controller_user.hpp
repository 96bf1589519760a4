#pragma once

#include <string>

namespace volley::transports {

/// The user of transports that have no login of their own, whom run-as must differ from. ENV-007,
/// compatibility: the word of $USER comes first, whoever runs really.
std::string controller_user();

}  // namespace volley::transports
