#include "cli/guides/page_text.hpp"
#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide plugins_guide() {
    static const std::string text = page_text(
#include "cli/guides/plugins_page.inc"
    );
    return {.topic = "plugins", .text = text, .documentation = "docs/plugins.md"};
}

}  // namespace volley::cli
