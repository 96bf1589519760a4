#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "language/ruby/native/object.hpp"
#include "language/value.hpp"

namespace volley::ruby {

/// A value of the language as a new object. Throws NotNative for what Ruby code cannot be given.
Object to_object(const Value& value, Heap& heap, Change change = Change::Allowed);
/// What Ruby code hands back. A symbol is a text, but :undef and :default are what they say. Throws NotNative
/// for objects that are not data.
Value to_value(const Object& object);
/// nil, true, false and numbers; nullopt for other objects.
std::optional<Value> scalar_value(const Object& object);

/// Values of variables as objects: texts are Borrowed, lists and hashes Watched. Those are converted once for
/// all runs, since many templates ask for the same ones. Used by one thread.
class BorrowedObjects {
public:
    /// `heap` is that of the run.
    Object object(const Value& value, Heap& heap);
    /// Forgets what it has when that is much; must not be called while code runs.
    void shrink();
    /// Forgets all: code has changed some of it. Must not be called while code runs.
    void clear();

private:
    Object converted(const Value& value);

    static constexpr std::size_t most_kept = 20'000;
    std::unique_ptr<Heap> heap_ = std::make_unique<Heap>();
    std::unordered_map<const Shared*, Object> known_;
    std::vector<Value> kept_;  // so that no other value gets their addresses
};

}  // namespace volley::ruby
