#include "cli/outputters/json_lines.hpp"

#include <nlohmann/json.hpp>

namespace volley::cli {

void JsonLines::print(const Json& json) {
    console_.write_line(compact(json));
    console_.flush();
}

void JsonLines::print_new_plan(const std::string& name, const std::filesystem::path& path) {
    print(Json{{"name", name}, {"path", path.string()}});
}

void JsonLines::print_puppetfile_result(const std::filesystem::path& puppetfile,
                                        const std::filesystem::path& modules) {
    print(Json{{"success", true}, {"puppetfile", puppetfile.string()}, {"moduledir", modules.string()}});
}

void JsonLines::print_guides(const std::vector<std::string>& topics) { print(Json{{"topics", topics}}); }

}  // namespace volley::cli
