#pragma once

#include <string>
#include <string_view>
#include <vector>

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

/// That of a check which failed over a value that is not a text.
ApplyError check_error(const Resource& resource, std::string_view name, const std::string& why);

/// A parameter of which Ruby wants a text: throws conversion_error() where it is something else, which has no
/// `method`. `usual` where it is not given.
std::string converted_text(const Resource& resource, std::string_view name, std::string_view method,
                           std::string_view usual = {});
/// What a check looks at with a pattern: nothing for undef. Throws SystemError for a value that is not a
/// text, as Ruby itself does.
std::string matched_text(const Value& value);
/// The values of a parameter: the items of a list, or the one that it is.
std::vector<Value> each_value(const Resource& resource, std::string_view name);
/// The items of a list and of the lists in it, as Ruby's flatten has them.
std::vector<Value> flattened(const std::vector<Value>& items);
/// All of a parameter, also of a list, as Ruby writes it into a text; `usual` where it is not given.
std::string whole_text(const Resource& resource, std::string_view name, std::string_view usual = {});

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
/// The same of one value that it has.
bool converted_boolean(const Resource& resource, std::string_view name, const Value& value);

}  // namespace volley::agent
