#include "apply/compiler/kept_code.hpp"

#include <utility>

#include "language/types/parse.hpp"

namespace volley {

std::unique_ptr<KeptCode> CodeShelf::take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<KeptCode>();
    auto code = std::move(idle_.back());
    idle_.pop_back();
    return code;
}

void CodeShelf::put_back(std::unique_ptr<KeptCode> code) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(code));
}

CodeLoan::CodeLoan(std::shared_ptr<CodeShelf> shelf, TypeLoader& types) : shelf_(std::move(shelf)), types_(types) {
    if (!shelf_) return;
    code_ = shelf_->take();
    types_.keep_in(&code_->types);
}

void CodeLoan::end() noexcept {
    if (!code_) return;
    types_.keep_in(nullptr);
    shelf_->put_back(std::move(code_));
}

}  // namespace volley
