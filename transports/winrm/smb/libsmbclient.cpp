#include "transports/winrm/smb/libsmbclient.hpp"

#include <fmt/format.h>

#include <string>

#include "support/dynamic_library.hpp"
#include "transports/errors.hpp"

namespace volley::transports::winrm::smb {
namespace {

constexpr const char* library_file = "libsmbclient.so.0";

struct LoadedLibrary {
    Library functions{};
    std::string fault;
};

LoadedLibrary load_library() {
    LoadedLibrary loaded;
    DynamicLibrary library(library_file);
    const auto find = [&library](auto& function, const char* name) { library.find(function, name); };
    Library& found = loaded.functions;
    find(found.new_context, "smbc_new_context");
    find(found.init_context, "smbc_init_context");
    find(found.free_context, "smbc_free_context");
    find(found.setFunctionAuthDataWithContext, "smbc_setFunctionAuthDataWithContext");
    find(found.setOptionUserData, "smbc_setOptionUserData");
    find(found.getOptionUserData, "smbc_getOptionUserData");
    find(found.setOptionNoAutoAnonymousLogin, "smbc_setOptionNoAutoAnonymousLogin");
    find(found.setOptionUseKerberos, "smbc_setOptionUseKerberos");
    find(found.setOptionProtocols, "smbc_setOptionProtocols");
    find(found.setPort, "smbc_setPort");
    find(found.setTimeout, "smbc_setTimeout");
    find(found.setDebug, "smbc_setDebug");
    find(found.getFunctionOpen, "smbc_getFunctionOpen");
    find(found.getFunctionRead, "smbc_getFunctionRead");
    find(found.getFunctionWrite, "smbc_getFunctionWrite");
    find(found.getFunctionClose, "smbc_getFunctionClose");
    find(found.getFunctionStat, "smbc_getFunctionStat");
    find(found.getFunctionOpendir, "smbc_getFunctionOpendir");
    find(found.getFunctionReaddir, "smbc_getFunctionReaddir");
    find(found.getFunctionClosedir, "smbc_getFunctionClosedir");
    find(found.getFunctionMkdir, "smbc_getFunctionMkdir");
    find(found.getFunctionUnlink, "smbc_getFunctionUnlink");
    find(found.getFunctionRmdir, "smbc_getFunctionRmdir");
    find(found.getFunctionRename, "smbc_getFunctionRename");
    loaded.fault = library.fault();
    return loaded;
}

}  // namespace

const Library& library() {
    static const LoadedLibrary loaded = load_library();
    if (!loaded.fault.empty())
        throw connect_error(fmt::format("file-protocol: smb needs {} (Debian's package libsmbclient): {}",
                                        library_file, loaded.fault));
    return loaded.functions;
}

}  // namespace volley::transports::winrm::smb
