// Target texts of any bytes: the URI parser, the list splitter and the glob matcher.
#include <cstdlib>

#include "inventory/glob.hpp"
#include "inventory/target_list.hpp"
#include "inventory/uri.hpp"
#include "support/error.hpp"

using namespace volley;
using namespace volley::inventory;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const TargetSyntax syntax : {TargetSyntax::CommandLine, TargetSyntax::Plan}) {
        for (const std::string_view name : split_targets(text, syntax)) {
            try {
                glob_match(name, "web1.example.com", true);
                glob_match(name, text, false);
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
