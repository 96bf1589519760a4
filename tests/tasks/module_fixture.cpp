#include "tests/tasks/module_fixture.hpp"

#include <nlohmann/json.hpp>

#include "support/error.hpp"

namespace volley::tasks {

Thrown thrown_by_find(const Library& library, std::string_view task) {
    try {
        library.find_task(task);
    } catch (const Error& error) {
        return {error.info().kind(), error.info().msg(), error.info().details().value("original_kind", "")};
    }
    return {};
}

}  // namespace volley::tasks
