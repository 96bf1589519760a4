#include "cli/guides/page_text.hpp"

#include <filesystem>
#include <system_error>
#include <vector>

#include "cli/outputters/text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t page_width = 76;

/// [text](address) says "text"; an address on the web is kept.
std::string without_links(std::string_view line) {
    std::string out;
    while (true) {
        const std::size_t open = line.find('[');
        const std::size_t middle = open == std::string_view::npos ? open : line.find("](", open);
        const std::size_t close = middle == std::string_view::npos ? middle : line.find(')', middle);
        if (close == std::string_view::npos) return out + std::string(line);
        out += line.substr(0, open);
        out += line.substr(open + 1, middle - open - 1);
        const std::string_view address = line.substr(middle + 2, close - middle - 2);
        if (address.starts_with("http")) out += " (" + std::string(address) + ")";
        line.remove_prefix(close + 1);
    }
}

std::vector<std::string> cells_of(std::string_view row) {
    row = trim(row);
    if (row.starts_with('|')) row.remove_prefix(1);
    if (row.ends_with('|')) row.remove_suffix(1);
    std::vector<std::string> cells(1);
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
            cells.back() += row[++i];
        } else if (row[i] == '|') {
            cells.emplace_back();
        } else {
            cells.back() += row[i];
        }
    }
    for (std::string& cell : cells) cell = std::string(trim(without_links(cell)));
    return cells;
}

bool is_rule(std::string_view line) {
    return line.starts_with("|-") || line.starts_with("| -") || line.starts_with("|:");
}

/// Gathers lines that belong together and writes them wrapped.
class PageWriter {
public:
    void line(std::string_view text) {
        if (text.starts_with("    ")) return code(text);
        if (trim(text).empty()) return blank();
        if (text.starts_with('#')) return heading(text);
        if (text.starts_with('|')) return row(text);
        if (text.starts_with("- ") ||
            (text.size() > 2 && text[0] >= '1' && text[0] <= '9' && text.substr(1, 2) == ". ")) {
            flush();
            hang_ = text.starts_with("- ") ? 2 : 3;
        }
        if (!paragraph_.empty()) paragraph_ += ' ';
        paragraph_ += trim(without_links(text));
    }

    std::string take() {
        flush();
        return std::move(out_);
    }

private:
    void code(std::string_view text) {
        flush();
        out_ += std::string(text) + "\n";
    }
    void blank() {
        flush();
        header_.clear();
        if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
    }
    void heading(std::string_view text) {
        blank();
        const std::string words = without_links(trim(text.substr(text.find_first_not_of('#'))));
        out_ += words + "\n" + std::string(words.size(), text.starts_with("##") ? '-' : '=') + "\n";
    }
    /// The first cell on a line, what is said of it below, with the heads of columns where there are several.
    void row(std::string_view text) {
        flush();
        if (is_rule(text)) return;
        const std::vector<std::string> cells = cells_of(text);
        if (header_.empty()) {
            header_ = cells;
            std::vector<std::string> heads = cells;
            std::erase(heads, "");
            if (!heads.empty()) out_ += "  " + join(heads, ", ") + ":\n";
            return;
        }
        std::string said;
        for (std::size_t i = 1; i < cells.size(); ++i) {
            if (cells[i].empty()) continue;
            if (!said.empty()) said += "; ";
            if (header_.size() > 2 && i < header_.size() && !header_[i].empty()) said += header_[i] + ": ";
            said += cells[i];
        }
        out_ += indent(2, wrap(cells.front(), page_width - 2)) + indent(6, wrap(said, page_width - 6));
    }
    void flush() {
        if (paragraph_.empty()) return;
        out_ += indent(hang_, wrap(paragraph_, page_width - hang_))
                    .substr(hang_);  // the mark of an item stands out
        paragraph_.clear();
        hang_ = 0;
    }

    std::string out_;
    std::string paragraph_;
    std::size_t hang_ = 0;
    std::vector<std::string> header_;  // of the table under way
};

}  // namespace

std::string page_text(std::string_view markdown) {
    PageWriter writer;
    for (const std::string& line : split(trim(markdown), '\n')) writer.line(line);
    return writer.take();
}

std::string documentation_place(std::string_view page) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error || page.empty()) return std::string(page);
    const fs::path installed =
        program.parent_path().parent_path() / "share" / "doc" / "volley" / fs::path(page).filename();
    return fs::exists(installed, error) ? installed.string() : std::string(page);
}

}  // namespace volley::cli
