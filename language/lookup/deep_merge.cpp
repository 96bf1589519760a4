#include <algorithm>
#include <memory>
#include <unordered_map>

#include "language/errors.hpp"
#include "language/lookup/merge.hpp"
#include "language/text/regexp.hpp"
#include "language/text/ruby_substitute.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::lookup {
namespace {

/// A value that can change, like Ruby's: the library changes lists and hashes in place, and where source and
/// target are one object it changes both. What comes out depends on that, so it is done the same way here.
struct ByCode {
    std::size_t operator()(const Value& value) const { return value.hash_code(); }
};
struct Mutable;
using MutablePtr = std::shared_ptr<Mutable>;
struct Mutable {
    Value scalar;
    bool is_list = false;
    bool is_hash = false;
    std::vector<MutablePtr> items;  // a list, or the values of a hash
    std::vector<Value> keys;        // of a hash, in order
    std::unordered_map<Value, std::size_t, ByCode> positions;
    MutablePtr* find(const Value& key) {
        const auto at = positions.find(key);
        return at == positions.end() ? nullptr : &items[at->second];
    }
    void add(const Value& key, MutablePtr value) {
        positions.emplace(key, keys.size());
        keys.push_back(key);
        items.push_back(std::move(value));
    }
    bool truthy() const { return is_list || is_hash || scalar.truthy(); }
    bool undef() const { return !is_list && !is_hash && scalar.is_undef(); }
};

MutablePtr thaw(const Value& value) {
    const NestingGuard guard;
    auto result = std::make_shared<Mutable>();
    if (value.is_array()) {
        result->is_list = true;
        for (const Value& item : value.as_array()) result->items.push_back(thaw(item));
    } else if (value.is_hash()) {
        result->is_hash = true;
        for (const auto& entry : value.as_hash()) result->add(entry.key, thaw(entry.value));
    } else {
        result->scalar = value;
    }
    return result;
}

Value freeze(const Mutable& value) {
    const NestingGuard guard;
    if (value.is_list) {
        std::vector<Value> items;
        for (const MutablePtr& item : value.items) items.push_back(freeze(*item));
        return items;
    }
    if (!value.is_hash) return value.scalar;
    HashBuilder hash;
    for (std::size_t i = 0; i < value.keys.size(); ++i) hash.set(value.keys[i], freeze(*value.items[i]));
    return hash.build();
}

class DeepMerger {
public:
    explicit DeepMerger(const DeepMergeOptions& options) : options_(options) {
        if (!options.knockout_prefix.empty()) knockout_ = Regexp::compile("^" + options.knockout_prefix);
    }

    MutablePtr merge(const MutablePtr& source, MutablePtr target) const {
        const NestingGuard guard;
        if (source->undef()) return target;
        if (!target->truthy()) return source;
        if (source->is_hash) return merge_hash(source, std::move(target));
        if (source->is_list) return merge_list(source, std::move(target));
        if (target->is_list && options_.extend_existing_arrays) {
            target->items.push_back(source);
            return target;
        }
        return overwrite(source);
    }

private:
    MutablePtr merge_hash(const MutablePtr& source, MutablePtr target) const {
        for (std::size_t i = 0; i < source->keys.size(); ++i) {
            const Value key = source->keys[i];
            const MutablePtr value = source->items[i];
            if (target->is_hash) {
                MutablePtr* known = target->find(key);
                MutablePtr merged;
                if (known && (*known)->truthy()) {
                    merged = merge(value, *known);
                } else {
                    merged = merge(value, std::make_shared<Mutable>(*value));  // a shallow copy
                }
                known = target->find(key);
                if (known) {
                    *known = std::move(merged);
                } else {
                    target->add(key, std::move(merged));
                }
            } else if (target->is_list && options_.extend_existing_arrays) {
                target->items.push_back(source);
            } else {
                target = overwrite(source);
            }
        }
        return target;
    }

    MutablePtr merge_list(const MutablePtr& given, MutablePtr target) const {
        if (options_.overwrite_arrays) return given;
        MutablePtr source = given;
        if (!options_.unpack_arrays.empty()) {
            source = repack(*source);
            if (target->is_list) target = repack(*target);
        }
        if (knockout_ && knocks_out_all(*source)) {
            target = cleared(std::move(target));
            std::erase_if(source->items, [this](const MutablePtr& item) { return is_prefix(*item); });
        }
        if (!target->is_list) return overwrite(source);
        if (knockout_) knock_out(*source, *target);
        const auto hash = [](const MutablePtr& item) { return item->is_hash; };
        if (options_.merge_hash_arrays && std::ranges::all_of(source->items, hash) &&
            std::ranges::all_of(target->items, hash)) {
            target = merge_pairwise(*source, *target);
        } else {
            target = united(*target, *source);
        }
        if (options_.sort_merged_arrays) sort(*target);
        return target;
    }

    bool is_prefix(const Mutable& item) const {
        return item.scalar.is_string() && item.scalar.as_string() == options_.knockout_prefix;
    }
    bool knocks_out_all(const Mutable& source) const {
        return std::ranges::any_of(source.items, [this](const MutablePtr& item) { return is_prefix(*item); });
    }

    /// Ruby's clear, which lists, hashes and strings have.
    static MutablePtr cleared(MutablePtr target) {
        target->items.clear();
        target->keys.clear();
        target->positions.clear();
        target->scalar = target->scalar.is_string() ? Value("") : Value();
        return target;
    }

    std::string without_prefix(const std::string& text) const {
        return ruby_substitute(text, *knockout_, Value(""), true);
    }

    /// Takes out of `target` what items of `source` with the prefix name, and those items out of `source`:
    /// Ruby's delete_if with a body that deletes from what may be the same list.
    void knock_out(Mutable& source, Mutable& target) const {
        std::size_t read = 0;
        std::size_t kept = 0;
        while (read < source.items.size()) {
            const MutablePtr item = source.items[read];
            bool knocked = false;
            if (item->scalar.is_string()) {
                const std::string plain = without_prefix(item->scalar.as_string());
                if (plain != item->scalar.as_string()) {
                    erase_text(target, plain);
                    erase_text(target, item->scalar.as_string());
                    knocked = true;
                }
            }
            ++read;
            if (knocked) continue;
            if (kept + 1 != read && kept < source.items.size()) source.items[kept] = item;
            ++kept;
        }
        if (kept < source.items.size()) {
            const std::size_t from = std::min(read, source.items.size());
            source.items.erase(source.items.begin() + static_cast<std::ptrdiff_t>(kept),
                               source.items.begin() + static_cast<std::ptrdiff_t>(std::max(from, kept)));
        }
    }

    static void erase_text(Mutable& list, const std::string& text) {
        std::erase_if(list.items, [&text](const MutablePtr& item) {
            return item->scalar.is_string() && item->scalar.as_string() == text;
        });
    }

    MutablePtr merge_pairwise(const Mutable& source, const Mutable& target) const {
        auto list = std::make_shared<Mutable>();
        list->is_list = true;
        for (std::size_t i = 0; i < target.items.size(); ++i) {
            auto nothing = std::make_shared<Mutable>();
            nothing->is_hash = true;
            list->items.push_back(
                merge(i < source.items.size() ? source.items[i] : nothing, target.items[i]));
        }
        for (std::size_t i = target.items.size(); i < source.items.size(); ++i)
            list->items.push_back(source.items[i]);
        return list;
    }

    static MutablePtr united(const Mutable& target, const Mutable& source) {
        auto list = std::make_shared<Mutable>();
        list->is_list = true;
        HashBuilder seen;
        for (const Mutable* one : {&target, &source}) {
            for (const MutablePtr& item : one->items) {
                const Value value = freeze(*item);
                if (seen.contains(value)) continue;
                seen.set(value, true);
                list->items.push_back(item);
            }
        }
        return list;
    }

    static void sort(Mutable& list) {
        std::vector<std::pair<Value, MutablePtr>> order;
        for (const MutablePtr& item : list.items) order.emplace_back(freeze(*item), item);
        std::ranges::stable_sort(
            order, [](const auto& a, const auto& b) { return ruby_compare(a.first, b.first) < 0; });
        for (std::size_t i = 0; i < order.size(); ++i) list.items[i] = std::move(order[i].second);
    }

    MutablePtr repack(const Mutable& list) const {
        std::string all;
        for (const MutablePtr& item : list.items) {
            if (item != list.items.front()) all += options_.unpack_arrays;
            all += ruby_to_s(freeze(*item));
        }
        auto result = std::make_shared<Mutable>();
        result->is_list = true;
        std::size_t at = 0;
        while (at <= all.size()) {
            const std::size_t end = std::min(all.find(options_.unpack_arrays, at), all.size());
            result->items.push_back(thaw(Value(all.substr(at, end - at))));
            at = end + options_.unpack_arrays.size();
        }
        while (!result->items.empty() && result->items.back()->scalar.as_string().empty())
            result->items.pop_back();
        return result;
    }

    /// Compatibility: a source that has the prefix does not replace the target but leaves "".
    MutablePtr overwrite(const MutablePtr& source) const {
        if (!knockout_) return source;
        bool knocked = false;
        if (source->is_list) {
            // The library compares the list with itself after deleting from it, so this never counts.
            std::erase_if(source->items, [this](const MutablePtr& item) {
                return item->scalar.is_string() && knockout_->matches(item->scalar.as_string());
            });
        } else if (source->scalar.is_string()) {
            knocked = without_prefix(source->scalar.as_string()) != source->scalar.as_string();
        }
        return knocked ? thaw(Value("")) : source;
    }

    const DeepMergeOptions& options_;
    Ref<const Regexp> knockout_;
};

}  // namespace

Value deep_merge(const Value& source, const Value& target, const DeepMergeOptions& options) {
    return freeze(*DeepMerger(options).merge(thaw(source), thaw(target)));
}

}  // namespace volley::lookup
