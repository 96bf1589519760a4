// Results in rows and columns: for people (table), spreadsheets (csv) and tickets (markdown). Everything else
// that verbs print is as for people.
#include <algorithm>

#include "cli/outputters/human.hpp"
#include "cli/outputters/result_fields.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::cli {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;  // the first has the names of the columns

constexpr std::size_t widest_cell = 60;

/// A character a column, as in other tables of this program.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return !continues_character(c); }));
}

/// What fits into a line of a table: the first line, shortened.
std::string cell_of(const std::string& text) {
    std::string line = printable(text.substr(0, text.find('\n')));
    if (width_of(line) <= widest_cell && text.find('\n') == std::string::npos) return line;
    std::size_t end = 0;
    for (std::size_t shown = 0; end < line.size() && shown + 3 < widest_cell; ++shown)
        end += next_character(line, end);
    return line.substr(0, end) + "...";
}

std::string as_table(const Rows& rows) {
    Rows cells = rows;
    for (Row& row : cells) std::ranges::transform(row, row.begin(), cell_of);
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const Row& row : cells) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string out;
    for (const Row& row : cells) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line += std::string(widths[i] - width_of(row[i]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

/// RFC 4180, with the line ends of Unix.
std::string as_csv(const Rows& rows) {
    std::string out;
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool quoted = row[i].find_first_of(",\"\r\n") != std::string::npos;
            std::string cell = scrub_utf8(row[i]);
            for (std::size_t at = 0; quoted && (at = cell.find('"', at)) != std::string::npos; at += 2)
                cell.insert(at, 1, '"');
            out += (i > 0 ? "," : "") + (quoted ? '"' + cell + '"' : cell);
        }
        out += "\n";
    }
    return out;
}

std::string as_markdown(const Rows& rows) {
    std::string out;
    for (const Row& row : rows) {
        for (const std::string& text : row) {
            out += "| ";
            for (const char c : printable(text, "\n")) {
                if (c == '|' || c == '\\') out += '\\';
                out += c == '\n' ? std::string("<br>") : std::string(1, c);
            }
            out += " ";
        }
        out += "|\n";
        if (&row != &rows.front()) continue;
        for (std::size_t i = 0; i < row.size(); ++i) out += "| --- ";
        out += "|\n";
    }
    return out;
}

class TableOutputter final : public HumanOutputter {
public:
    TableOutputter(Console& to, OutputSettings settings, std::string (*layout)(const Rows&))
        : HumanOutputter(to, std::move(settings)), layout_(layout) {}

    void on_event(const planner::Event& event) override {
        if (in_plan_) HumanOutputter::on_event(event);
    }
    void begin_plan() override { in_plan_ = true; }
    void begin_apply() override {}
    void print_summary(const planner::ResultSet& results, std::chrono::nanoseconds) override {
        print_rows(results);
    }
    void print_result_set(const planner::ResultSet& results) override { print_rows(results); }

private:
    void print_rows(const planner::ResultSet& results) {
        const std::vector<std::string>& fields =
            settings().fields.empty() ? usual_fields() : settings().fields;
        Rows rows{fields};
        const planner::ResultSet shown = wanted(results);
        for (const planner::Result& result : shown.results()) {
            Row row;
            for (const std::string& field : fields)
                row.push_back(field_text(result, field, display_name(result.target())));
            rows.push_back(std::move(row));
        }
        console().write(layout_(rows));
        console().flush();
    }

    std::string (*layout_)(const Rows&);
    bool in_plan_ = false;
};

}  // namespace

std::unique_ptr<Outputter> make_table_outputter(Console& console, OutputSettings settings) {
    return std::make_unique<TableOutputter>(console, std::move(settings), as_table);
}

std::unique_ptr<Outputter> make_csv_outputter(Console& console, OutputSettings settings) {
    return std::make_unique<TableOutputter>(console, std::move(settings), as_csv);
}

std::unique_ptr<Outputter> make_markdown_outputter(Console& console, OutputSettings settings) {
    return std::make_unique<TableOutputter>(console, std::move(settings), as_markdown);
}

}  // namespace volley::cli
