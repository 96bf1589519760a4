// The one file that compiles Catch2's own main (it costs seconds).
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
