#pragma once

#include <span>

#include "language/ruby/native/method.hpp"

/// The built-in methods, one table for a group of them. `find_method` puts together what a class answers to.
namespace volley::ruby::methods {

using Table = std::span<const Method>;

/// Methods of a class or module itself.
struct ModuleTable {
    std::string_view module;
    Table methods;
};

Table object_methods();  // of every object
Table comparable_methods();
Table enumerable_methods();  // on top of walk()
Table enumerable_choosing_methods();
Table enumerable_ordering_methods();
Table enumerable_cutting_methods();
Table nil_methods();
Table boolean_methods();
Table integer_methods();
Table integer_arithmetic_methods();
Table float_methods();
Table symbol_methods();
Table string_methods();
Table string_access_methods();
Table string_change_methods();
Table string_set_methods();
Table string_split_methods();
Table string_match_methods();
Table string_number_methods();
Table array_methods();
Table array_access_methods();
Table array_change_methods();
Table array_combine_methods();
Table array_sorting_methods();
Table hash_methods();
Table hash_change_methods();
Table hash_choose_methods();
Table range_methods();
Table pattern_methods();
Table match_methods();
Table module_methods();  // of every class and module
Table enumerator_methods();

Table kernel_functions();
std::span<const ModuleTable> core_modules();
std::span<const ModuleTable> file_modules();
std::span<const ModuleTable> json_modules();
std::span<const ModuleTable> yaml_modules();
std::span<const ModuleTable> digest_modules();
std::span<const ModuleTable> math_modules();
std::span<const ModuleTable> network_modules();
Table json_methods();  // to_json, of every object
Table yaml_methods();  // to_yaml, of every object

}  // namespace volley::ruby::methods
