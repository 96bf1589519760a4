// The one file that compiles Boost.Asio's own sources (BOOST_ASIO_SEPARATE_COMPILATION).
#include <boost/asio/impl/src.hpp>
