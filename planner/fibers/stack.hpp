#pragma once

#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <vector>

namespace volley::planner {

/// Stacks for fibers, all of one size, each with a page below it that no one may touch. Memory is only taken
/// for the pages that were used; a stack that is given back serves the next fiber. Loop thread only.
class StackPool {
public:
    /// `size` in bytes is rounded up to whole pages.
    explicit StackPool(std::size_t size);
    ~StackPool();
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;

    /// Throws Error volley/too-many-fibers when the system has no more.
    boost::context::stack_context take();
    void give_back(boost::context::stack_context stack) noexcept;
    std::size_t size() const noexcept { return size_; }

private:
    std::size_t size_;
    std::vector<boost::context::stack_context> free_;
};

/// What boost::context::fiber wants: allocates from a pool.
class PooledStack {
public:
    explicit PooledStack(StackPool& pool) : pool_(&pool) {}
    boost::context::stack_context allocate() { return pool_->take(); }
    void deallocate(boost::context::stack_context& stack) noexcept { pool_->give_back(stack); }

private:
    StackPool* pool_;
};

}  // namespace volley::planner
