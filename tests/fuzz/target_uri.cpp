// Target texts of any bytes: the URI parser, the list splitter and the wildcard matcher.
#include <cstdlib>

#include "inventory/targets/target_list.hpp"
#include "inventory/targets/uri.hpp"
#include "support/error.hpp"
#include "support/wildcard.hpp"

using namespace volley;
using namespace volley::inventory;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const TargetSyntax syntax : {TargetSyntax::CommandLine, TargetSyntax::Plan}) {
        for (const std::string_view name : split_targets(text, syntax)) {
            try {
                wildcard_match_any(name, "web1.example.com", {.any_case = true});
                wildcard_match(name, text, {.any_case = true});
                const Uri uri = parse_uri(name);
                // The text without the password is a URI again, with the same host.
                if (parse_uri(uri.safe_text).host != uri.host) std::abort();
            } catch (const Error&) {
                continue;
            }
        }
    }
    return 0;
}
