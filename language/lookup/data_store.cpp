#include "language/lookup/data_store.hpp"

#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/json_reader.hpp"
#include "language/lookup/hocon.hpp"
#include "language/lookup/yaml_value.hpp"
#include "support/error.hpp"
#include "support/json_reader.hpp"
#include "support/text.hpp"

namespace volley::lookup {
namespace {

constexpr JsonLimits hiera_limits{.depth = 500};

Value json_value(const std::string& text, const std::string& path) {
    try {
        return value_of_json(text, hiera_limits);
    } catch (const JsonError& error) {
        throw LookupError("Unable to parse (" + path + "): " + error.what());
    } catch (const EvalError& error) {
        throw LookupError("Unable to parse (" + path + "): " + error.what());
    }
}

}  // namespace

std::shared_ptr<DataStore::Entry> DataStore::entry(const std::string& path, DataFormat format) {
    const std::scoped_lock lock(lock_);
    std::shared_ptr<Entry>& known = entries_[static_cast<char>('0' + static_cast<int>(format)) + path];
    if (!known) known = std::make_shared<Entry>();
    return known;
}

Value DataStore::load(const std::string& path, DataFormat format) {
    const std::shared_ptr<Entry> file = entry(path, format);
    const std::scoped_lock lock(file->reading);
    const auto stamp = files_->stamp(path);
    if (!stamp) throw LookupError("No such file or directory: " + path);
    if (file->data && file->freshness.is_current(*stamp)) return *file->data;
    std::string text;
    try {
        text = files_->read(path);
    } catch (const Error& error) {
        throw LookupError(error.what());
    }
    const bool same = file->freshness.is_same_text(*stamp, text);
    if (file->data && same) return *file->data;
    file->data.reset();
    file->data = parse(text, path, format);
    return *file->data;
}

Value DataStore::parse(const std::string& text, const std::string& path, DataFormat format) {
    switch (format) {
        case DataFormat::Yaml:
            try {
                return yaml_value(text, path);
            } catch (const LookupError& error) {
                throw LookupError(std::string("Unable to parse ") + error.what());
            }
        case DataFormat::Json:
            return json_value(text, path);
        case DataFormat::Hocon:
            try {
                return hocon_value(text);
            } catch (const EvalError& error) {
                throw LookupError("Unable to parse (" + path + "): " + error.what());
            }
        case DataFormat::Text:
            break;
    }
    if (!is_utf8(text)) throw LookupError("The file " + path + " is not UTF-8");
    return Value(text);
}

std::shared_ptr<DataStore> disk_data_store() {
    static const auto store = std::make_shared<DataStore>(std::make_shared<DiskFiles>());
    return store;
}

}  // namespace volley::lookup
