#pragma once

#include <string>
#include <string_view>

#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/ini/ini_file.hpp"

namespace volley::agent {

// What ini_setting and ini_subsetting have in common.

/// Throws ApplyError unless the path is absolute, in Puppet's words.
std::string ini_path(const Resource& resource, Run& run);
/// The name that a parameter is, such as "section"; that of what stands before all sections where it is not
/// given.
IniName ini_name(const Resource& resource, std::string_view attribute);
/// How the resource writes its file; throws ApplyError, in the words of Ruby, where it is made of values that
/// are not texts.
IniStyle ini_style(const Resource& resource);

}  // namespace volley::agent
