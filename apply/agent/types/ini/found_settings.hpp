#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apply/agent/catalog/resource.hpp"

namespace volley::agent {

/// The settings of the file that a type of a module is about, each as a resource of that type, in the order
/// of the file; config_setting.cpp says what the module type has to say. Throws SystemError.
std::vector<std::unique_ptr<Resource>> found_settings(const std::string& type,
                                                      const std::shared_ptr<const ModuleType>& module_type);

}  // namespace volley::agent
