#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "support/text_hash.hpp"

namespace volley {

/// Members of a JSON object in the order in which they were added. Small objects are scanned; larger ones
/// have an index whose hash nobody outside can foresee, so that adding and finding cost the same whatever the
/// keys are. A key that is added again keeps its place. What the JSON library asks of an object, under the
/// names it asks for. Looking at one from several threads is safe: only what changes the object touches the
/// index.
template <class Key, class T, class Less, class Allocator>
class JsonMap : public std::vector<std::pair<Key, T>> {
    using Entries = std::vector<std::pair<Key, T>>;

public:
    using key_type = Key;
    using mapped_type = T;
    using value_type = typename Entries::value_type;
    using size_type = typename Entries::size_type;
    using iterator = typename Entries::iterator;
    using const_iterator = typename Entries::const_iterator;
    using key_compare = std::equal_to<>;

    JsonMap() noexcept = default;
    JsonMap(const JsonMap& other) : Entries(other), index_(copy_of(other.index_)) {}
    JsonMap(JsonMap&& other) noexcept = default;
    JsonMap& operator=(const JsonMap& other) {
        if (this != &other) *this = JsonMap(other);
        return *this;
    }
    JsonMap& operator=(JsonMap&& other) noexcept = default;
    ~JsonMap() = default;
    template <class Iterator>
    JsonMap(Iterator first, Iterator last) {
        insert(first, last);
    }
    JsonMap(std::initializer_list<value_type> entries) : JsonMap(entries.begin(), entries.end()) {}

    template <class K>
    std::pair<iterator, bool> emplace(K&& key, T&& value) {
        if (const auto found = find(key); found != this->end()) return {found, false};
        Entries::emplace_back(std::forward<K>(key), std::move(value));
        added();
        return {this->end() - 1, true};
    }
    template <class K>
    T& operator[](K&& key) {
        return emplace(std::forward<K>(key), T{}).first->second;
    }
    std::pair<iterator, bool> insert(value_type&& entry) {
        return emplace(std::move(entry.first), std::move(entry.second));
    }
    std::pair<iterator, bool> insert(const value_type& entry) {
        return emplace(entry.first, T(entry.second));
    }
    template <class Iterator>
    void insert(Iterator first, Iterator last) {
        for (; first != last; ++first) emplace(first->first, T(first->second));
    }

    /// Moves members in, in their order, into an object that has none yet: an object that was read is made at
    /// once. Of a key that is there twice the last value counts, at the first place.
    template <class Iterator>
    void take(Iterator first, Iterator last) {
        const auto count = static_cast<std::size_t>(last - first);
        this->reserve(count);
        if (count > scanned) index_ = std::make_unique<Index>(slots_for(count));
        std::uint64_t seen = 0;  // a bit for each kind of key: what is the first of its kind is there once
        for (; first != last; ++first) {
            const std::string_view key = first->first;
            std::uint32_t* slot = nullptr;
            std::size_t place = this->size();
            if (index_) {
                slot = &slot_of(key);
                if (*slot != 0) place = *slot - 1;
            } else {
                const std::uint64_t kind = std::uint64_t{1} << (kind_of(key) & 63U);
                if ((seen & kind) != 0) place = position(key);
                seen |= kind;
            }
            if (place < this->size()) {
                Entries::operator[](place).second = std::move(first->second);
                continue;
            }
            Entries::emplace_back(std::move(first->first), std::move(first->second));
            if (slot != nullptr) *slot = static_cast<std::uint32_t>(this->size());
        }
    }

    iterator find(std::string_view key) { return this->begin() + static_cast<std::ptrdiff_t>(position(key)); }
    const_iterator find(std::string_view key) const {
        return this->begin() + static_cast<std::ptrdiff_t>(position(key));
    }
    size_type count(std::string_view key) const { return position(key) < this->size() ? 1 : 0; }

    size_type erase(std::string_view key) {
        const auto found = find(key);
        if (found == this->end()) return 0;
        erase(found);
        return 1;
    }
    iterator erase(iterator at) { return erase(at, at + 1); }
    iterator erase(iterator first, iterator last) {
        const auto next = Entries::erase(first, last);
        rebuild();
        return next;
    }
    void clear() noexcept {
        Entries::clear();
        index_.reset();
    }

private:
    using Index = std::vector<std::uint32_t>;  // positions plus one, at the places of their hashes; 0 is free

    static constexpr std::size_t scanned = 24;  // the status of a resource in a report has 19 members

    static std::unique_ptr<Index> copy_of(const std::unique_ptr<Index>& index) {
        return index ? std::make_unique<Index>(*index) : nullptr;
    }

    static std::size_t kind_of(std::string_view key) noexcept {
        if (key.empty()) return 0;
        const auto letter = [key](std::size_t at) { return static_cast<unsigned char>(key[at]); };
        return key.size() + letter(0) * std::size_t{5} + letter(key.size() / 2) * std::size_t{11} +
               letter(key.size() - 1) * std::size_t{23};
    }

    /// A power of two, of which at most a third is used.
    static std::size_t slots_for(std::size_t count) noexcept { return std::bit_ceil(count * 3); }

    /// Where the key stands in the index, or would stand.
    std::uint32_t& slot_of(std::string_view key) const {
        const std::size_t mask = index_->size() - 1;
        for (std::size_t slot = keyed_text_hash(key) & mask;; slot = (slot + 1) & mask) {
            std::uint32_t& entry = (*index_)[slot];
            if (entry == 0 || Entries::operator[](entry - 1).first == key) return entry;
        }
    }

    /// size() when there is no such key.
    std::size_t position(std::string_view key) const {
        const std::size_t size = this->size();
        if (!index_) {
            for (std::size_t i = 0; i < size; ++i) {
                if (Entries::operator[](i).first == key) return i;
            }
            return size;
        }
        const std::uint32_t entry = slot_of(key);
        return entry == 0 ? size : entry - 1;
    }

    void added() {
        if (!index_ ? this->size() > scanned : this->size() * 2 > index_->size())
            rebuild();
        else if (index_)
            enter(this->size() - 1);
    }

    void rebuild() {
        index_.reset();
        if (this->size() <= scanned) return;
        index_ = std::make_unique<Index>(slots_for(this->size()));
        for (std::size_t i = 0; i < this->size(); ++i) enter(i);
    }

    void enter(std::size_t entry) {
        slot_of(Entries::operator[](entry).first) = static_cast<std::uint32_t>(entry + 1);
    }

    std::unique_ptr<Index> index_;
};

}  // namespace volley
