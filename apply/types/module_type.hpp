#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apply/types/resource_type.hpp"
#include "apply/types/ruby/type_description.hpp"
#include "language/evaluator/environment.hpp"

namespace volley {

/// What can be read of a resource type from the file that defines it: Ruby (lib/puppet/type/NAME.rb), with
/// the files of modules that it requires, or what `puppet generate types` wrote. Nothing is run. Whatever
/// cannot be found this way leaves the description incomplete. Never throws for what is in the file.
ruby_source::TypeDescription describe_module_type(const std::string& name,
                                                  const LanguageHost::SourceFile& source, LanguageHost& host);

/// The resource type that a module's file defines. Each file is read once per process as long as its text
/// stays the same; any thread may call it.
std::shared_ptr<const ResourceType> module_resource_type(const std::string& name,
                                                         const LanguageHost::SourceFile& source,
                                                         LanguageHost& host);

}  // namespace volley
