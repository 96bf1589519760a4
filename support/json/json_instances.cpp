#include "support/json/json_instances.hpp"

template class nlohmann::detail::serializer<volley::Json>;
template class std::vector<volley::Json>;
template volley::Json::string_t nlohmann::basic_json<volley::JsonMap>::dump(int, char, bool,
                                                                            error_handler_t) const;
template nlohmann::basic_json<volley::JsonMap>::basic_json(initializer_list_t, bool, value_t);
template nlohmann::basic_json<volley::JsonMap>::basic_json(const basic_json&);
template void nlohmann::basic_json<volley::JsonMap>::json_value::destroy(value_t);
