#pragma once

#include <string>
#include <string_view>

#include "apply/agent/catalog/resource.hpp"
#include "apply/agent/values/errors.hpp"
#include "apply/agent/values/value.hpp"

namespace volley::agent {

// What types ask of the values that they are given. Where words are listed they are as messages list them:
// "true, false".

/// "Parameter gid failed on Group[x]: ...".
ApplyError parameter_error(const Resource& resource, std::string_view name, const std::string& why);

/// That of a value which could not be brought into the form that the type works with.
ApplyError conversion_error(const Resource& resource, std::string_view name, const Value& value,
                            const std::string& why);

/// "Invalid value "x". Valid values are a, b. Valid values match /^c/."; without the one or the other where
/// it is empty. `patterns`: "/^c/, /^d/".
std::string invalid_value(const Value& value, std::string_view words = {}, std::string_view patterns = {});
/// The same as a parameter_error() of what the resource has there.
ApplyError invalid_parameter(const Resource& resource, std::string_view name, std::string_view words = {},
                             std::string_view patterns = {});

/// Which of `words` a parameter is; `usual` where it is not given, which need not be one of them. Throws
/// invalid_parameter() for anything else, also for a list: that of one word is not that word.
std::string word_parameter(const Resource& resource, std::string_view name, std::string_view words,
                           std::string_view usual = {});
/// true, false, "true", "false"; throws invalid_parameter() for anything else.
bool true_or_false(const Resource& resource, std::string_view name, bool usual);
/// The same with yes and no.
bool boolean_parameter(const Resource& resource, std::string_view name, bool usual);
/// The same in any letters, of types that convert a value and do not check it before: throws
/// conversion_error().
bool converted_boolean(const Resource& resource, std::string_view name, bool usual);

}  // namespace volley::agent
