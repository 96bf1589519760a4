#include <deque>
#include <unordered_set>

#include "language/ruby/native/method.hpp"
#include "language/ruby/native/object.hpp"

namespace volley::ruby {
namespace {

/// So few entries are found faster by looking at each than by hashing.
constexpr std::size_t searched_entries = 8;

}  // namespace

struct Heap::Parts {
    std::deque<String> strings;
    std::deque<Array> arrays;
    std::deque<Hash> hashes;
    std::deque<Range> ranges;
    std::deque<Match> matches;
    std::deque<Value> values;
    std::deque<Enumerator> enumerators;
    std::vector<std::shared_ptr<HostObject>> hosts;
    std::vector<Ref<const Regexp>> patterns;
    std::unordered_set<std::string> names;
    std::size_t bytes = 0;
};

Heap::Heap() : parts_(std::make_unique<Parts>()) {}
Heap::~Heap() = default;

void Heap::grown(std::size_t bytes) {
    parts_->bytes += bytes;
    if (bytes > most_bytes || parts_->bytes > most_bytes)
        throw NotNative{"more memory than native Ruby may use"};
}

Object Heap::string(std::string text, Change change) {
    grown(sizeof(String) + text.size());
    return Object(parts_->strings.emplace_back(String{std::move(text), change}));
}

Object Heap::array(std::vector<Object> items, Change change) {
    grown(sizeof(Array) + items.size() * sizeof(Object));
    return Object(parts_->arrays.emplace_back(Array{std::move(items), change}));
}

Object Heap::hash(Change change) {
    grown(sizeof(Hash));
    Hash& made = parts_->hashes.emplace_back();
    made.change = change;
    made.heap = this;
    return Object(made);
}

Object Heap::range(Object first, Object last, bool exclusive) {
    grown(sizeof(Range));
    return Object(static_cast<const Range&>(parts_->ranges.emplace_back(Range{first, last, exclusive})));
}

Object Heap::pattern(Ref<const Regexp> pattern) {
    grown(sizeof(pattern));
    parts_->patterns.push_back(std::move(pattern));
    return Object(*parts_->patterns.back());
}

Object Heap::match(Match match) {
    grown(sizeof(Match) + match.found.groups.size() * sizeof(RegexpMatch::Group));
    return Object(static_cast<const Match&>(parts_->matches.emplace_back(std::move(match))));
}

Object Heap::foreign(Value value) {
    grown(sizeof(Value));
    return Object(static_cast<const Value&>(parts_->values.emplace_back(std::move(value))));
}

Object Heap::enumerator(Enumerator enumerator) {
    grown(sizeof(Enumerator) + enumerator.arguments.size() * sizeof(Object));
    return Object(static_cast<const Enumerator&>(parts_->enumerators.emplace_back(std::move(enumerator))));
}

Object Heap::host(std::shared_ptr<HostObject> object) {
    grown(64);
    parts_->hosts.push_back(std::move(object));
    return Object(*parts_->hosts.back());
}

Object Heap::symbol(std::string_view name) {
    const auto [place, added] = parts_->names.emplace(name);
    if (added) grown(sizeof(std::string) + name.size());
    return Object::symbol(*place);
}

Object Heap::module(std::string_view name) { return Object::module(symbol(name).name()); }

namespace {

/// 0 for what cannot change, which needs no comparison of hashes.
std::size_t hash_code_of(const Object& key) {
    return key.is(Object::Kind::Array) || key.is(Object::Kind::Hash) ? ObjectHash{}(key) : 0;
}

}  // namespace

Hash::Entry::Entry(Object its_key, Object its_value)
    : key(its_key), value(its_value), hash_code(hash_code_of(its_key)) {}

std::size_t Hash::place(const Object& key) const {
    const std::size_t hash_code = entries.empty() ? 0 : hash_code_of(key);
    if (!index.empty()) {
        const auto found = index.find(key);
        const bool is_there = found != index.end() && entries[found->second].hash_code == hash_code;
        return is_there ? found->second : entries.size();
    }
    std::size_t at = 0;
    while (at < entries.size() && (entries[at].hash_code != hash_code || !same(entries[at].key, key))) ++at;
    return at;
}

void Hash::make_index() {
    index.clear();
    if (entries.size() <= searched_entries) return;
    for (std::size_t at = 0; at < entries.size(); ++at) index.emplace(entries[at].key, at);
}

Object* Hash::find(const Object& key) {
    const std::size_t at = place(key);
    return at < entries.size() ? &entries[at].value : nullptr;
}

const Object* Hash::find(const Object& key) const {
    const std::size_t at = place(key);
    return at < entries.size() ? &entries[at].value : nullptr;
}

void Hash::set(const Object& key, const Object& value) {
    if (Object* const known = find(key)) {
        *known = value;
        return;
    }
    if (iterating > 0) throw Raised{"RuntimeError", "can't add a new key into hash during iteration"};
    // Ruby then makes a Regexp of the text, and shows the MatchData differently from then on.
    if (key.is(Object::Kind::Match) && key.match().of_text)
        throw NotNative{"the MatchData of a text as a key"};
    Object kept = key;
    if (heap) {
        heap->grown(sizeof(Entry) * 2);
        if (key.is(Object::Kind::String) && key.string().change == Change::Allowed)
            kept = heap->string(key.string().text, Change::Frozen);
    }
    entries.emplace_back(kept, value);
    if (!index.empty())
        index.emplace(kept, entries.size() - 1);
    else
        make_index();
}

bool Hash::remove(const Object& key) {
    const std::size_t at = place(key);
    if (at >= entries.size()) return false;
    if (iterating > 0) throw NotNative{"a key that is deleted while each runs"};
    const bool last = at + 1 == entries.size();
    if (last && !index.empty()) index.erase(key);
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(at));
    if (!last) make_index();
    return true;
}

void Hash::clear() { replace({}); }

void Hash::replace(std::vector<Entry> with) {
    if (iterating > 0) throw NotNative{"a hash that is replaced while each runs"};
    entries = std::move(with);
    make_index();
}

}  // namespace volley::ruby
