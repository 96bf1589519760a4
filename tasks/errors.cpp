#include "tasks/errors.hpp"

#include <nlohmann/json.hpp>

namespace volley::tasks {

Error load_error(std::string_view original_kind, std::string_view msg, const std::filesystem::path& file) {
    Json details = Json::object();
    details["file"] = file.string();
    details["original_kind"] = original_kind;
    return Error("bolt/pal-error", msg, std::move(details));
}

}  // namespace volley::tasks
