#include "cli/guides/page_text.hpp"
#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide ssh_guide() {
    static const std::string text = page_text(
#include "cli/guides/ssh_page.inc"
    );
    return {.topic = "ssh", .text = text, .documentation = "docs/ssh.md"};
}

}  // namespace volley::cli
