#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace volley::transports::winrm {

/// Adds the challenges in one header WWW-Authenticate: a server may send one header for each, or all in one,
/// separated by commas. "Negotiate oRswGaAD", "Basic realm=\"WSMAN\"".
void split_challenges(std::string_view header, std::vector<std::string>& challenges);
/// The token of the challenge with this scheme, in any case of letters; empty when there is none.
std::string challenge_token(const std::vector<std::string>& challenges, std::string_view scheme);
/// The names of the schemes, for messages: "Negotiate, Basic".
std::string scheme_names(const std::vector<std::string>& challenges);

}  // namespace volley::transports::winrm
