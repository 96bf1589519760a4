// What Boost.JSON's reader needs of Boost.JSON's own sources; all of them (boost/json/src.hpp) take six times
// as long. The first include is what the second one lacks, and UBSan asks for shared_resource.
// clang-format off
#include <boost/json/storage_ptr.hpp>
#include <boost/json/detail/impl/default_resource.ipp>
#include <boost/json/detail/impl/except.ipp>
#include <boost/json/detail/impl/shared_resource.ipp>
#include <boost/json/detail/impl/stack.ipp>
#include <boost/json/impl/error.ipp>
// clang-format on
