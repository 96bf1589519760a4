#include <algorithm>
#include <string>
#include <string_view>

#include "language/ruby/native/method.hpp"

/// The public methods of built-in classes in Ruby 3.1, for respond_to?: those that are not native too.
namespace volley::ruby {
namespace {

using Kind = Object::Kind;

struct MethodNames {
    Kind kind;
    std::string_view names;  // one space before and after each
};

constexpr std::string_view names_of_objects =
    " "
    "! != !~ <=> == === =~ __id__ __send__ class clone define_singleton_method display dup enum_for "
    "eql? equal? extend freeze frozen? hash inspect instance_eval instance_exec instance_of? "
    "instance_variable_defined? instance_variable_get instance_variable_set instance_variables "
    "is_a? itself kind_of? method methods nil? object_id private_methods protected_methods "
    "psych_to_yaml public_method public_methods public_send remove_instance_variable respond_to? "
    "send singleton_class singleton_method singleton_methods taint tainted? tap then to_enum "
    "to_json to_s to_yaml trust untaint untrust untrusted? yield_self ";

constexpr MethodNames names_of_classes[] = {
    {Kind::Nil,
     " "
     "& ^ rationalize to_a to_c to_f to_h to_i to_r | "},
    {Kind::True,
     " "
     "& ^ | "},
    {Kind::False,
     " "
     "& ^ | "},
    {Kind::Integer,
     " "
     "% & * ** + +@ - -@ / < << <= > >= >> [] ^ abs abs2 allbits? angle anybits? arg between? "
     "bit_length ceil chr clamp coerce conj conjugate denominator digits div divmod downto even? "
     "fdiv finite? floor gcd gcdlcm i imag imaginary infinite? integer? lcm magnitude modulo "
     "negative? next nobits? nonzero? numerator odd? ord phase polar positive? pow pred quo "
     "rationalize real real? rect rectangular remainder round singleton_method_added size step succ "
     "times to_c to_f to_i to_int to_r truncate upto zero? | ~ "},
    {Kind::Float,
     " "
     "% * ** + +@ - -@ / < <= > >= abs abs2 angle arg between? ceil clamp coerce conj conjugate "
     "denominator div divmod fdiv finite? floor i imag imaginary infinite? integer? magnitude modulo "
     "nan? negative? next_float nonzero? numerator phase polar positive? prev_float quo rationalize "
     "real real? rect rectangular remainder round singleton_method_added step to_c to_f to_i to_int "
     "to_r truncate zero? "},
    {Kind::Symbol,
     " "
     "< <= > >= [] between? capitalize casecmp casecmp? clamp downcase empty? encoding end_with? "
     "id2name intern length match match? name next size slice start_with? succ swapcase to_proc "
     "to_sym upcase "},
    {Kind::String,
     " "
     "% * + +@ -@ < << <= > >= [] []= ascii_only? b between? bytes bytesize byteslice capitalize "
     "capitalize! casecmp casecmp? center chars chomp chomp! chop chop! chr clamp clear codepoints "
     "concat count crypt delete delete! delete_prefix delete_prefix! delete_suffix delete_suffix! "
     "downcase downcase! dump each_byte each_char each_codepoint each_grapheme_cluster each_line "
     "empty? encode encode! encoding end_with? force_encoding getbyte grapheme_clusters gsub gsub! "
     "hex include? index insert intern length lines ljust lstrip lstrip! match match? next next! oct "
     "ord partition prepend replace reverse reverse! rindex rjust rpartition rstrip rstrip! scan "
     "scrub scrub! setbyte size slice slice! split squeeze squeeze! start_with? strip strip! sub "
     "sub! succ succ! sum swapcase swapcase! to_c to_f to_i to_r to_str to_sym tr tr! tr_s tr_s! "
     "undump unicode_normalize unicode_normalize! unicode_normalized? unpack unpack1 upcase upcase! "
     "upto valid_encoding? "},
    {Kind::Array,
     " "
     "& * + - << [] []= all? any? append assoc at bsearch bsearch_index chain chunk chunk_while "
     "clear collect collect! collect_concat combination compact compact! concat count cycle "
     "deconstruct delete delete_at delete_if detect difference dig drop drop_while each each_cons "
     "each_entry each_index each_slice each_with_index each_with_object empty? entries fetch fill "
     "filter filter! filter_map find find_all find_index first flat_map flatten flatten! grep grep_v "
     "group_by include? index inject insert intersect? intersection join keep_if last lazy length "
     "map map! max max_by member? min min_by minmax minmax_by none? one? pack partition permutation "
     "pop prepend product push rassoc reduce reject reject! repeated_combination "
     "repeated_permutation replace reverse reverse! reverse_each rindex rotate rotate! sample select "
     "select! shift shuffle shuffle! size slice slice! slice_after slice_before slice_when sort "
     "sort! sort_by sort_by! sum take take_while tally to_a to_ary to_h transpose union uniq uniq! "
     "unshift values_at zip | "},
    {Kind::Hash,
     " "
     "< <= > >= [] []= all? any? assoc chain chunk chunk_while clear collect collect_concat compact "
     "compact! compare_by_identity compare_by_identity? count cycle deconstruct_keys default "
     "default= default_proc default_proc= delete delete_if detect dig drop drop_while each each_cons "
     "each_entry each_key each_pair each_slice each_value each_with_index each_with_object empty? "
     "entries except fetch fetch_values filter filter! filter_map find find_all find_index first "
     "flat_map flatten grep grep_v group_by has_key? has_value? include? inject invert keep_if key "
     "key? keys lazy length map max max_by member? merge merge! min min_by minmax minmax_by none? "
     "one? partition rassoc reduce rehash reject reject! replace reverse_each select select! shift "
     "size slice slice_after slice_before slice_when sort sort_by store sum take take_while tally "
     "to_a to_h to_hash to_proc transform_keys transform_keys! transform_values transform_values! "
     "uniq update value? values values_at zip "},
    {Kind::Range,
     " "
     "% all? any? begin bsearch chain chunk chunk_while collect collect_concat compact count cover? "
     "cycle detect drop drop_while each each_cons each_entry each_slice each_with_index "
     "each_with_object end entries exclude_end? filter filter_map find find_all find_index first "
     "flat_map grep grep_v group_by include? inject last lazy map max max_by member? min min_by "
     "minmax minmax_by none? one? partition reduce reject reverse_each select size slice_after "
     "slice_before slice_when sort sort_by step sum take take_while tally to_a to_h uniq zip "},
    {Kind::Pattern,
     " "
     "casefold? encoding fixed_encoding? match match? named_captures names options source ~ "},
    {Kind::Match,
     " "
     "[] begin captures end length match match_length named_captures names offset post_match "
     "pre_match regexp size string to_a values_at "},
    {Kind::Proc,
     " "
     "<< >> [] arity binding call curry lambda? parameters ruby2_keywords source_location to_proc "
     "yield "},
    {Kind::Enumerator,
     " "
     "+ all? any? chain chunk chunk_while collect collect_concat compact count cycle detect drop "
     "drop_while each each_cons each_entry each_slice each_with_index each_with_object entries feed "
     "filter filter_map find find_all find_index first flat_map grep grep_v group_by include? inject "
     "lazy map max max_by member? min min_by minmax minmax_by next next_values none? one? partition "
     "peek peek_values reduce reject reverse_each rewind select size slice_after slice_before "
     "slice_when sort sort_by sum take take_while tally to_a to_h uniq with_index with_object zip "},
};

/// What every object has but no caller may call: 1.puts raises another message than 1.foo.
constexpr std::string_view private_names =
    " "
    "Array Complex Float Hash Integer Rational String __callee__ __dir__ __method__ ` abort at_exit "
    "autoload autoload? binding block_given? caller caller_locations catch eval exec exit exit! "
    "fail fork format gem gem_original_require gets global_variables initialize initialize_clone "
    "initialize_copy initialize_dup iterator? lambda load local_variables loop method_missing open "
    "p pp print printf proc putc puts raise rand readline readlines require require_relative "
    "respond_to_missing? select set_trace_func singleton_method_added singleton_method_removed "
    "singleton_method_undefined sleep spawn sprintf srand syscall system test throw trace_var trap "
    "untrace_var warn ";

bool is_among(std::string_view names, std::string_view name) {
    return names.find(" " + std::string(name) + " ") != std::string_view::npos;
}

}  // namespace

bool has_private_method(std::string_view name) { return is_among(private_names, name); }

bool has_method(const Object& self, std::string_view name) {
    if (name.empty() || name.find(' ') != std::string_view::npos) return false;
    if (is_among(names_of_objects, name)) return true;
    const auto* const found = std::find_if(std::begin(names_of_classes), std::end(names_of_classes),
                                           [&](const MethodNames& row) { return row.kind == self.kind(); });
    if (found == std::end(names_of_classes)) throw NotNative{"respond_to? of such an object"};
    return is_among(found->names, name);
}

}  // namespace volley::ruby
