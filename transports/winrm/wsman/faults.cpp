// What the numbers of WS-Management's faults mean, and what to do about them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "transports/winrm/wsman/wsman.hpp"

namespace volley::transports::winrm {
namespace {

struct Advice {
    std::uint32_t code;
    std::string_view text;
};

constexpr std::uint32_t operation_timed_out = 0x80338029;

constexpr std::string_view too_many_shells =
    "the user has as many shells open on the target as it allows (MaxShellsPerUser): wait, or end some of "
    "them";
constexpr std::string_view too_many_users =
    "as many users are connected to the target as it allows (MaxConcurrentUsers): wait and try again";
constexpr std::string_view too_many_operations =
    "the target runs as many operations as it allows (MaxConcurrentOperationsPerUser): wait and try again";
constexpr std::string_view no_memory =
    "the target or the shell has no memory left: see MaxMemoryPerShellMB in the target's WinRM configuration";
constexpr std::string_view not_registered =
    "PowerShell remoting is not set up there: run Enable-PSRemoting on the target as an administrator";

// By number.
constexpr Advice advices[] = {
    {5,
     "the user may not use remote management: an administrator, or a member of 'Remote Management Users'; "
     "local administrators also need LocalAccountTokenFilterPolicy"},
    {14, no_memory},
    {1018, "the user's profile is being unloaded there: try again"},
    {1115, "the target is shutting down"},
    {1816, no_memory},
    {0x8007000E, no_memory},
    {0x800703E9, "the script's process ended from a stack overflow"},
    {0x800703FA, "the user's profile is being unloaded there: try again"},
    {0x80338002, not_registered},
    {0x8033803B, not_registered},
    {0x8033803F, "a limit of the target's WinRM configuration is reached: wait and try again"},
    {0x8033805B, "the shell has ended there: its idle timeout expired, or the service was restarted"},
    {0x80338199, "the server wants to redirect to another address, which is not supported"},
    {0x803381A5, too_many_shells},
    {0x803381A6, too_many_operations},
    {0x803381A7, too_many_users},
    {0x803381A8, "the target has reached a limit for all its users: wait and try again"},
    {0x803381AB, too_many_users},
    {0x803381AC, "remote shells are switched off there (AllowRemoteShellAccess)"},
    {0x803381DD, "remote management is switched off there by policy"},
    {0x803381E3, "the target refuses remote connections by policy"},
    {0x803381E4, too_many_shells},
    {0x803381E5, too_many_users},
    {0x803381E6, too_many_shells},
    {0x803381E7, too_many_operations},
    {0x803381E8, too_many_operations},
    {0x803381E9, "the shell has run as many commands as the target allows (MaxConcurrentCommandsPerShell)"},
    {0x80540BBA, "PowerShell could not be started there"},
    {0x80540BC7, "the target's PowerShell is too old: version 3 or later is needed"},
};
static_assert(std::is_sorted(std::begin(advices), std::end(advices),
                             [](const Advice& left, const Advice& right) { return left.code < right.code; }));

constexpr std::uint32_t gone[] = {995, 0x8033805B, 0x8033814A, 0x803381CC, 0x8033816E};
constexpr std::uint32_t passing[] = {1018,       0x800703FA, 0x803381A5, 0x803381A6, 0x803381A7, 0x803381A8,
                                     0x803381AB, 0x803381E4, 0x803381E5, 0x803381E6, 0x803381E7, 0x803381E8};

template <std::size_t Count>
bool is_one_of(const std::uint32_t (&codes)[Count], std::uint32_t code) noexcept {
    return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

}  // namespace

bool WsmanFault::is_timeout() const noexcept {
    return code_ == operation_timed_out || (code_ == 0 && subcode_ == "TimedOut");
}

bool WsmanFault::is_gone() const noexcept { return is_one_of(gone, code_); }

bool WsmanFault::is_passing() const noexcept {
    return is_one_of(passing, code_) || (code_ == 0 && subcode_ == "QuotaLimit");
}

std::string_view fault_advice(const WsmanFault& fault) noexcept {
    const auto* found =
        std::lower_bound(std::begin(advices), std::end(advices), fault.code(),
                         [](const Advice& advice, std::uint32_t code) { return advice.code < code; });
    return found != std::end(advices) && found->code == fault.code() ? found->text : std::string_view();
}

std::string WsmanFault::reason() const {
    const std::string number = code_ != 0         ? fmt::format("{} (0x{:08X})", code_, code_)
                               : subcode_.empty() ? std::string("without a number")
                                                  : subcode_;
    std::string text = fmt::format("WinRM fault {}", number);
    const std::string_view advice = fault_advice(*this);
    if (!advice.empty()) text += fmt::format(": {}", advice);
    std::string said = what();
    std::replace_if(
        said.begin(), said.end(), [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
    if (!said.empty()) text += fmt::format(": {}", said);
    return text;
}

}  // namespace volley::transports::winrm
