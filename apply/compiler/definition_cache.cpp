#include "apply/compiler/definition_cache.hpp"

#include <utility>

#include "language/types/parse.hpp"

namespace volley {

std::unique_ptr<CachedDefinitions> DefinitionCache::take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<CachedDefinitions>();
    auto code = std::move(idle_.back());
    idle_.pop_back();
    return code;
}

void DefinitionCache::put_back(std::unique_ptr<CachedDefinitions> code) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(code));
}

DefinitionLease::DefinitionLease(std::shared_ptr<DefinitionCache> cache, TypeLoader& types)
    : cache_(std::move(cache)), types_(types) {
    if (!cache_) return;
    code_ = cache_->take();
    types_.keep_in(&code_->types);
}

void DefinitionLease::end() noexcept {
    if (!code_) return;
    types_.keep_in(nullptr);
    cache_->put_back(std::move(code_));
}

}  // namespace volley
