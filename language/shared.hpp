#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace volley {

/// Base of everything that values share: immutable after construction, counted, safe to read from several
/// threads. Destruction is iterative, so that a list nested a million deep does not overflow the stack.
class Shared {
public:
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
    void release() const noexcept {
        if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(this);
    }
    /// Whether one pointer alone refers to it.
    bool is_unique() const noexcept { return count_.load(std::memory_order_relaxed) == 1; }
    /// Equal content; the default is identity.
    virtual bool equals(const Shared& other) const { return this == &other; }
    virtual std::size_t hash() const;

protected:
    Shared() = default;
    virtual ~Shared() = default;

private:
    static void destroy(const Shared* last) noexcept;
    mutable std::atomic<std::uint32_t> count_{0};
};

/// A counted pointer to something Shared.
template <class T>
class Ref {
public:
    Ref() = default;
    Ref(std::nullptr_t) {}
    explicit Ref(T* object) noexcept : object_(object) {
        if (object_) object_->retain();
    }
    Ref(const Ref& other) noexcept : Ref(other.object_) {}
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    template <class U>
    Ref(const Ref<U>& other) noexcept : Ref(other.get()) {}
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() {
        if (object_) object_->release();
    }

    T* get() const noexcept { return object_; }
    T& operator*() const noexcept { return *object_; }
    T* operator->() const noexcept { return object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }
    friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.object_ == b.object_; }

private:
    T* object_ = nullptr;
};

template <class T, class... Args>
Ref<const T> make_shared_object(Args&&... args) {
    return Ref<const T>(new T(std::forward<Args>(args)...));
}

}  // namespace volley
