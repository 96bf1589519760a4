#include "cli/guides/page_text.hpp"
#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide apply_guide() {
    static const std::string text = page_text(
#include "cli/guides/apply_page.inc"
    );
    return {.topic = "apply", .text = text, .documentation = "docs/apply.md"};
}

}  // namespace volley::cli
