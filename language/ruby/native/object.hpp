#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "language/ruby/native_ruby.hpp"
#include "language/text/regexp.hpp"
#include "language/value.hpp"

/// The Ruby that templates and functions of modules use, without a Ruby process. Everything here answers
/// exactly as Ruby 3.1 does, or throws NotNative; then the real Ruby runs the same code from its beginning.
namespace volley::ruby {

struct String;
struct Array;
struct Hash;
struct Range;
struct Match;
struct Enumerator;
struct Closure;
class Heap;
class HostObject;

/// A Ruby object: a tag and eight bytes. What it points to belongs to the Heap of the run, so that copying
/// costs nothing and objects that hold themselves are no leak. As in Ruby, copies share what can change.
class Object {
public:
    enum class Kind : std::uint8_t {
        Nil,
        False,
        True,
        Integer,
        Float,
        Symbol,
        String,
        Array,
        Hash,
        Range,
        Pattern,
        Match,
        Proc,
        Module,   // a class or module, which is its name: "Array", "Puppet::ParseError"
        Foreign,  // a Puppet value that code may hold, compare and hand on, but not look into: Sensitive, a
                  // type
        Host,     // scope, self of a template or function
        Enumerator,  // what `each_with_index` and others return without a block
    };

    Object() = default;            // nil
    Object(const void*) = delete;  // keeps a pointer from becoming a boolean
    explicit Object(bool value) : kind_(value ? Kind::True : Kind::False) {}
    explicit Object(std::int64_t value) : kind_(Kind::Integer) { data_.integer = value; }
    explicit Object(double value) : kind_(Kind::Float) { data_.number = value; }
    explicit Object(String& value) : kind_(Kind::String) { data_.string = &value; }
    explicit Object(Array& value) : kind_(Kind::Array) { data_.array = &value; }
    explicit Object(Hash& value) : kind_(Kind::Hash) { data_.hash = &value; }
    explicit Object(const Range& value) : kind_(Kind::Range) { data_.range = &value; }
    explicit Object(const Regexp& value) : kind_(Kind::Pattern) { data_.pattern = &value; }
    explicit Object(const Match& value) : kind_(Kind::Match) { data_.match = &value; }
    explicit Object(const Closure& value) : kind_(Kind::Proc) { data_.closure = &value; }
    explicit Object(const Value& value) : kind_(Kind::Foreign) { data_.foreign = &value; }
    explicit Object(HostObject& value) : kind_(Kind::Host) { data_.host = &value; }
    explicit Object(const Enumerator& value) : kind_(Kind::Enumerator) { data_.enumerator = &value; }
    /// `name` is interned by the Heap: equal names are one pointer.
    static Object symbol(const std::string& name) { return named(Kind::Symbol, name); }
    static Object module(const std::string& name) { return named(Kind::Module, name); }

    Kind kind() const noexcept { return kind_; }
    bool is(Kind kind) const noexcept { return kind_ == kind; }
    bool is_nil() const noexcept { return kind_ == Kind::Nil; }
    bool truthy() const noexcept { return kind_ != Kind::Nil && kind_ != Kind::False; }

    // Each may only be asked of an object of its kind.
    std::int64_t integer() const noexcept { return data_.integer; }
    double number() const noexcept { return data_.number; }
    const std::string& name() const noexcept { return *data_.name; }  // Symbol, Module
    String& string() const noexcept { return *data_.string; }
    Array& array() const noexcept { return *data_.array; }
    Hash& hash() const noexcept { return *data_.hash; }
    const Range& range() const noexcept { return *data_.range; }
    const Regexp& pattern() const noexcept { return *data_.pattern; }
    const Match& match() const noexcept { return *data_.match; }
    const Closure& closure() const noexcept { return *data_.closure; }
    const Value& foreign() const noexcept { return *data_.foreign; }
    HostObject& host() const noexcept { return *data_.host; }
    const Enumerator& enumerator() const noexcept { return *data_.enumerator; }
    /// Object#equal?: the same object, not only the same content.
    bool identical(const Object& other) const noexcept {
        return kind_ == other.kind_ && data_.integer == other.data_.integer;
    }

private:
    static Object named(Kind kind, const std::string& name) {
        Object made;
        made.kind_ = kind;
        made.data_.name = &name;
        return made;
    }

    Kind kind_ = Kind::Nil;
    union {
        std::int64_t integer;
        double number;
        const std::string* name;
        String* string;
        Array* array;
        Hash* hash;
        const Range* range;
        const Regexp* pattern;
        const Match* match;
        const Closure* closure;
        const Value* foreign;
        HostObject* host;
        const Enumerator* enumerator;
    } data_{};
};
static_assert(sizeof(Object) == 16);

/// Whether code may change an object. What came from the controller's side must not be: the change would be
/// lost.
enum class Change : std::uint8_t {
    Allowed,
    Frozen,    // Ruby raises FrozenError
    Watched,   // a list or hash of a variable of the manifest, which sees the change when all has ended well
    Borrowed,  // NotNative: somebody else would see the change
};

struct String {
    std::string text;  // UTF-8; other bytes end in NotNative where characters count
    Change change = Change::Allowed;
    std::uint32_t walked = 0;  // how many methods that have a block walk over it: it must not change then
};

struct Array {
    std::vector<Object> items;
    Change change = Change::Allowed;
    std::uint32_t walked = 0;
};

struct ObjectHash {
    std::size_t operator()(const Object& object) const;  // Object#hash
};
struct ObjectSame {
    bool operator()(const Object& left, const Object& right) const;  // Object#eql?
};

/// Keeps the order in which keys came. A String as a key is a frozen copy, as in Ruby.
struct Hash {
    struct Entry {
        Entry(Object its_key, Object its_value);
        Object key;
        Object value;
        /// Of a key that can change: its hash when it came. Compatibility: a key that has changed since is
        /// not found any more, not even by itself.
        std::size_t hash_code;
    };
    std::vector<Entry> entries;
    std::unordered_map<Object, std::size_t, ObjectHash, ObjectSame> index;  // of many entries
    Object fallback;                                                        // Hash.new(fallback)
    const Closure* fallback_block = nullptr;                                // Hash.new { |hash, key| ... }
    Change change = Change::Allowed;
    std::uint32_t walked = 0;
    Heap* heap = nullptr;       // where copies of keys go
    std::size_t iterating = 0;  // how many walks over the entries are under way

    /// nullptr when the key is missing. Valid until an entry comes or goes.
    Object* find(const Object& key);
    const Object* find(const Object& key) const;
    /// Raises RuntimeError for a new key while somebody walks over the entries, as Ruby does.
    void set(const Object& key, const Object& value);
    /// False when the key was missing. NotNative while somebody walks over the entries.
    bool remove(const Object& key);
    void clear();
    void replace(std::vector<Entry> with);

private:
    /// Where an entry is; entries.size() when there is none. Few entries are searched without an index.
    std::size_t place(const Object& key) const;
    void make_index();
};

struct Range {
    Object first;  // nil: no beginning
    Object last;   // nil: no end
    bool exclusive = false;
};

struct Match {
    const Regexp* pattern = nullptr;
    std::string_view
        subject;           // of a String of the heap that nobody changes, or of something that lives longer
    RegexpMatch found;     // bytes
    bool of_text = false;  // a text was looked for, not a pattern: inspect shows that
};

/// What a method returns that was called without its block: the call, to be made when somebody asks for the
/// items.
struct Enumerator {
    Object receiver;
    std::string method;
    std::vector<Object> arguments;
};

/// Owns the objects of one run. Limited: beyond `most_bytes` (an estimate) code is NotNative.
class Heap {
public:
    Heap();
    ~Heap();
    Heap(const Heap&) = delete;
    Heap& operator=(const Heap&) = delete;

    static constexpr std::size_t most_bytes = 256UL << 20;

    Object string(std::string text, Change change = Change::Allowed);
    Object array(std::vector<Object> items, Change change = Change::Allowed);
    Object hash(Change change = Change::Allowed);
    Object range(Object first, Object last, bool exclusive);
    Object pattern(Ref<const Regexp> pattern);
    Object match(Match match);
    Object foreign(Value value);
    Object enumerator(Enumerator enumerator);
    Object host(std::shared_ptr<HostObject> object);
    Object symbol(std::string_view name);
    Object module(std::string_view name);
    /// Counts memory that an object has grown by. Throws NotNative at the limit.
    void grown(std::size_t bytes);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// What all kinds of objects answer. None calls a block.
bool equal(const Object& left, const Object& right);                  ///< ==
bool same(const Object& left, const Object& right);                   ///< eql?: 1 and 1.0 differ
std::optional<int> compare(const Object& left, const Object& right);  ///< <=>; nullopt is Ruby's nil
std::string to_text(const Object& object);                            ///< to_s
std::string inspect(const Object& object);
std::string_view class_name(const Object& object);

}  // namespace volley::ruby
