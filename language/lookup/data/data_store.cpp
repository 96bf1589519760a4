#include "language/lookup/data/data_store.hpp"

#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/lookup/data/hocon.hpp"
#include "language/lookup/data/yaml_value.hpp"
#include "language/serialization/json_reader.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/text.hpp"

namespace volley::lookup {
namespace {

Value json_value(const std::string& text, const std::string& path) {
    try {
        return value_of_json(text, value_json_limits);
    } catch (const JsonError& error) {
        throw LookupError("Unable to parse (" + path + "): " + error.what());
    } catch (const EvalError& error) {
        throw LookupError("Unable to parse (" + path + "): " + error.what());
    }
}

}  // namespace

Value DataStore::load(const std::string& path, DataFormat format) {
    const auto stamp = files_->stamp(path);
    if (!stamp) throw LookupError("No such file or directory: " + path);
    const auto read = [&] {
        try {
            return files_->read(path);
        } catch (const Error& error) {
            throw LookupError(error.what());
        }
    };
    const auto make = [&](const std::string& text) {
        return std::make_shared<const Value>(parse(text, path, format));
    };
    return *data_.get(static_cast<char>('0' + static_cast<int>(format)) + path, *stamp, read, make);
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
