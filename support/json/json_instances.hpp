#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "support/json/json.hpp"

/// What most files need of the JSON library's templates for Json is compiled once, in json_instances.cpp,
/// instead of in each of a hundred groups of files, where it took a twentieth of the time. It is precompiled:
/// no file has to include this one.
extern template class nlohmann::detail::serializer<volley::Json>;
extern template class std::vector<volley::Json>;
extern template volley::Json::string_t nlohmann::basic_json<volley::JsonMap>::dump(int, char, bool,
                                                                                   error_handler_t) const;
extern template nlohmann::basic_json<volley::JsonMap>::basic_json(initializer_list_t, bool, value_t);
extern template nlohmann::basic_json<volley::JsonMap>::basic_json(const basic_json&);
extern template void nlohmann::basic_json<volley::JsonMap>::json_value::destroy(value_t);
