#include "planner/fibers/stack.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "planner/fibers/sanitizer.hpp"
#include "support/error.hpp"

#ifdef VOLLEY_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace volley::planner {
namespace {

constexpr std::size_t stacks_kept = 64;  // for the next fibers; more go back to the system

std::size_t page_size() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

void unmap_stack(const boost::context::stack_context& stack) noexcept {
    const std::size_t page = page_size();
    ::munmap(static_cast<char*>(stack.sp) - stack.size - page, stack.size + page);
}

}  // namespace

StackPool::StackPool(std::size_t size) : size_((size + page_size() - 1) / page_size() * page_size()) {
    free_.reserve(stacks_kept);
}

StackPool::~StackPool() {
    for (const boost::context::stack_context& stack : free_) unmap_stack(stack);
}

boost::context::stack_context StackPool::take() {
    if (!free_.empty()) {
        const boost::context::stack_context stack = free_.back();
        free_.pop_back();
        return stack;
    }
    const std::size_t page = page_size();
    // One map, its lowest page without rights: running over the end stops the program and harms nothing.
    void* const memory = ::mmap(nullptr, size_ + page, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED ||
        ::mprotect(static_cast<char*>(memory) + page, size_, PROT_READ | PROT_WRITE) != 0) {
        const std::string reason = std::strerror(errno);
        if (memory != MAP_FAILED) ::munmap(memory, size_ + page);
        throw Error(
            "volley/too-many-fibers",
            "No memory for another block that runs in the background (" + reason +
                "). Start fewer at the same time, for example with the option 'concurrency' of parallelize.");
    }
    boost::context::stack_context stack;
    stack.size = size_;
    stack.sp = static_cast<char*>(memory) + page + size_;
    return stack;
}

void StackPool::give_back(boost::context::stack_context stack) noexcept {
#ifdef VOLLEY_ASAN
    // Frames that were left by an exception may have left their marks.
    __asan_unpoison_memory_region(static_cast<char*>(stack.sp) - stack.size, stack.size);
#endif
    if (free_.size() >= stacks_kept) {
        unmap_stack(stack);
        return;
    }
    free_.push_back(stack);  // reserved below: cannot throw
}

}  // namespace volley::planner
