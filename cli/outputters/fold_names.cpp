#include "cli/outputters/fold_names.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t longest_number = 18;  // digits that fit

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// A name with one of its numbers taken out.
struct Split {
    std::string before, number, after;
    std::pair<std::string, std::string> key() const { return {before, after}; }
};

std::vector<Split> splits_of(const std::string& name) {
    std::vector<Split> splits;
    for (std::size_t begin = 0; begin < name.size(); ++begin) {
        if (!is_digit(name[begin])) continue;
        std::size_t end = begin;
        while (end < name.size() && is_digit(name[end])) ++end;
        if (end - begin <= longest_number)
            splits.push_back({name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)});
        begin = end;
    }
    return splits;
}

using Key = std::pair<std::string, std::string>;

/// Numbers of one width when there are leading zeros, else of any: 8-11, 08-11.
std::string ranges_of(std::vector<std::string> numbers) {
    std::sort(numbers.begin(), numbers.end(), [](const std::string& a, const std::string& b) {
        return std::pair(std::stoll(a), a.size()) < std::pair(std::stoll(b), b.size());
    });
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const auto follows = [](const std::string& a, const std::string& b) {
        const bool padded = a.front() == '0' || b.front() == '0';
        return std::stoll(b) == std::stoll(a) + 1 && (!padded || a.size() == b.size());
    };
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && follows(numbers[last], numbers[last + 1])) ++last;
        parts.push_back(last == i ? numbers[i] : numbers[i] + "-" + numbers[last]);
        i = last + 1;
    }
    return join(parts, ",");
}

}  // namespace

std::string fold_names(const std::vector<std::string>& names) {
    std::vector<std::vector<Split>> splits;
    std::map<Key, std::size_t> count;
    for (const std::string& name : names) {
        splits.push_back(splits_of(name));
        for (const Split& split : splits.back()) ++count[split.key()];
    }
    // Each name goes where most others go; of equals the last number counts: rack1-node07.
    std::vector<std::string> order;
    std::map<Key, std::vector<std::string>> numbers;
    std::map<Key, std::size_t> place;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Split* best = nullptr;
        for (const Split& split : splits[i]) {
            if (!best || count[split.key()] >= count[best->key()]) best = &split;
        }
        if (!best || count[best->key()] < 2) {
            order.push_back(names[i]);
            continue;
        }
        if (place.emplace(best->key(), order.size()).second) order.emplace_back();
        numbers[best->key()].push_back(best->number);
    }
    for (const auto& [key, at] : place) {
        const std::vector<std::string>& all = numbers[key];
        order[at] = all.size() == 1 ? key.first + all.front() + key.second
                                    : key.first + "[" + ranges_of(all) + "]" + key.second;
    }
    return join(order, ",");
}

std::string name_list(const std::vector<std::string>& names) {
    return names.size() > few_targets ? fold_names(names) : join(names, ",");
}

}  // namespace volley::cli
