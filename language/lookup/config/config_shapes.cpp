#include "language/lookup/config/config_shapes.hpp"

#include "language/lookup/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/parse.hpp"

namespace volley::lookup {
namespace {

constexpr std::string_view shape_options =
    R"(Hash[Pattern[/\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z/], Data])";

std::string shape_of_hierarchy_5() {
    return "Array[Struct[{'name' => String[1], Optional['options'] => " + std::string(shape_options) +
           ", Optional['data_hash'] => String[1], Optional['lookup_key'] => String[1],"
           " Optional['hiera3_backend'] => String[1], Optional['v4_data_hash'] => String[1],"
           " Optional['data_dig'] => String[1], Optional['path'] => String[1],"
           " Optional['paths'] => Array[String[1], 1], Optional['glob'] => String[1],"
           " Optional['globs'] => Array[String[1], 1], Optional['uri'] => String[1],"
           " Optional['uris'] => Array[String[1], 1], Optional['mapped_paths'] => Array[String[1], 3, 3],"
           " Optional['datadir'] => String[1]}]]";
}

std::string shape_5() {
    const std::string hierarchy = shape_of_hierarchy_5();
    return "Struct[{'version' => Integer[5, 5], Optional['defaults'] => Struct[{Optional['data_hash'] => "
           "String[1],"
           " Optional['lookup_key'] => String[1], Optional['data_dig'] => String[1],"
           " Optional['datadir'] => String[1], Optional['options'] => " +
           std::string(shape_options) + "}], Optional['hierarchy'] => " + hierarchy +
           ", Optional['plan_hierarchy'] => " + hierarchy + ", Optional['default_hierarchy'] => " +
           hierarchy + "}]";
}

constexpr std::string_view shape_4 =
    "Struct[{'version' => Integer[4, 4], Optional['datadir'] => String[1], Optional['hierarchy'] =>"
    " Array[Struct[{'backend' => String[1], 'name' => String[1], Optional['datadir'] => String[1],"
    " Optional['path'] => String[1], Optional['paths'] => Array[String[1]]}]]}]";

void check_shape(const std::string& path, const Type& type, const Value& data) {
    assert_instance("The Lookup Configuration at '" + path + "'", type, data);
}

}  // namespace

void check_shape_3(const std::string& path, const Value& data) {
    std::string type =
        "Struct[{Optional['version'] => Integer[3, 3], Optional['backends'] => Variant[String[1], "
        "Array[String[1]]],"
        " Optional['logger'] => String[1], Optional['merge_behavior'] => Enum['deep', 'deeper', 'native'],"
        " Optional['deep_merge_options'] => Hash[String[1], Variant[String, Boolean]],"
        " Optional['hierarchy'] => Variant[String[1], Array[String[1]]]";
    const Value* backends = data.as_hash().find("backends");
    const auto add = [&type](const Value& backend) {
        if (backend.is_string() && !backend.as_string().empty())
            type += ", Optional[" + puppet_quote(backend.as_string()) + "] => Hash[String[1], Any]";
    };
    if (backends && backends->is_array()) {
        HashBuilder seen;
        for (const Value& backend : backends->as_array()) {
            if (!seen.contains(backend)) add(backend);
            seen.set(backend, true);
        }
    } else if (backends) {
        add(*backends);
    }
    check_shape(path, *parse_type(type + "}]"), data);
}

void check_shape_4(const std::string& path, const Value& data) {
    static const TypePtr type = parse_type(shape_4);
    check_shape(path, *type, data);
}

void check_shape_5(const std::string& path, const Value& data) {
    static const TypePtr type = parse_type(shape_5());
    check_shape(path, *type, data);
}

}  // namespace volley::lookup
