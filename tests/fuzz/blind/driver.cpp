/// Runs a fuzzer without libFuzzer, which only clang has: all seeds once, then inputs that are made from them
/// by chance until the time is over. It looks at no coverage, so it finds what is near the seeds: that is the
/// bounded run of `./dev test`, in the build that the sanitized tests use anyway. `./dev fuzz` is the real
/// thing. The chance is the same each time unless -seed changes it: a test that fails once fails again.
///
/// Takes libFuzzer's -max_total_time=S, -timeout=S, -dict=FILE, -artifact_prefix=P and -seed=N (others are
/// ignored), and files or folders of seeds. An input that crashes, or takes more than -timeout seconds of the
/// processor (others may be busy with it too), is kept as P"finding".
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                             std::size_t most, unsigned seed);

namespace {

using Bytes = std::vector<std::uint8_t>;

struct BlindRun {
    std::vector<Bytes> seeds;
    std::vector<Bytes> words;
    std::string prefix = "./";
    unsigned seconds = 5;
    unsigned timeout = 10;
    unsigned seed = 1;
    std::mt19937 random;
    const Bytes* current = nullptr;  // what is being tried; for the finding
};

BlindRun& blind_run() {
    static BlindRun run;
    return run;
}

constexpr std::size_t longest_input = 64UL * 1024;

std::size_t below(std::size_t end) { return end == 0 ? 0 : blind_run().random() % end; }

/// For the log: where only that is left of a run, as in CI, the file of the finding is gone.
void show_finding(const Bytes& input) {
    constexpr std::size_t most = 400;
    std::fprintf(stderr, "ERROR: an input of %zu bytes: \"", input.size());
    for (std::size_t i = 0; i < std::min(most, input.size()); ++i) {
        const bool plain = input[i] >= 0x20 && input[i] < 0x7f && input[i] != '"' && input[i] != '\\';
        std::fprintf(stderr, plain ? "%c" : "\\x%02x", input[i]);
    }
    std::fprintf(stderr, input.size() > most ? "\"...\n" : "\"\n");
}

/// May run in a signal handler or while the program dies.
void keep_finding() {
    const BlindRun& run = blind_run();
    if (!run.current) return;
    show_finding(*run.current);
    char path[4096];
    std::snprintf(path, sizeof path, "%sfinding", run.prefix.c_str());
    const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return;
    const bool written = ::write(file, run.current->data(), run.current->size()) >= 0;
    ::close(file);
    std::fprintf(stderr, written ? "input kept in %s\n" : "the input could not be written to %s\n", path);
}

void may_take(unsigned seconds) {
    const itimerval timer{{}, {static_cast<time_t>(seconds), 0}};
    ::setitimer(ITIMER_PROF, &timer, nullptr);
}

void took_too_long(int) {
    std::fprintf(stderr, "ERROR: an input takes longer than -timeout\n");
    keep_finding();
    ::_exit(70);
}

void crashed(int signal) {
    keep_finding();
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

Bytes bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The words of a libFuzzer dictionary: name="text" with \\, \" and \xNN.
std::vector<Bytes> dictionary(const std::string& path) {
    std::vector<Bytes> words;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t begin = line.find('"');
        const std::size_t end = line.rfind('"');
        if (line.starts_with('#') || begin == end) continue;
        Bytes word;
        for (std::size_t i = begin + 1; i < end; ++i) {
            if (line[i] != '\\') {
                word.push_back(static_cast<std::uint8_t>(line[i]));
            } else if (line[++i] == 'x') {
                word.push_back(
                    static_cast<std::uint8_t>(std::strtoul(line.substr(i + 1, 2).c_str(), nullptr, 16)));
                i += 2;
            } else {
                word.push_back(static_cast<std::uint8_t>(line[i]));
            }
        }
        words.push_back(std::move(word));
    }
    return words;
}

void read_seeds(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) {
        blind_run().seeds.push_back(bytes_of(path));
        return;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
        if (entry.is_regular_file() && entry.file_size() <= longest_input)
            blind_run().seeds.push_back(bytes_of(entry.path()));
    }
}

void change_once(Bytes& input) {
    BlindRun& run = blind_run();
    const auto at = input.begin() + static_cast<std::ptrdiff_t>(below(input.size() + 1));
    const auto left = static_cast<std::size_t>(input.end() - at);
    const auto length = static_cast<std::ptrdiff_t>(std::min(left, 1 + below(16)));
    switch (below(6)) {
        case 0:  // another byte
            if (left > 0) *at = static_cast<std::uint8_t>(run.random());
            break;
        case 1:
            if (left > 0) *at ^= static_cast<std::uint8_t>(1U << below(8));
            break;
        case 2:
            input.erase(at, at + length);
            break;
        case 3: {  // twice
            const Bytes piece(at, at + length);
            input.insert(at, piece.begin(), piece.end());
            break;
        }
        case 4: {  // a word
            if (run.words.empty()) break;
            const Bytes& word = run.words[below(run.words.size())];
            input.insert(at, word.begin(), word.end());
            break;
        }
        default: {  // a piece of another seed
            const Bytes& other = run.seeds[below(run.seeds.size())];
            const std::size_t from = below(other.size());
            const std::size_t count = std::min(other.size() - from, 1 + below(64));
            const Bytes piece(other.begin() + static_cast<std::ptrdiff_t>(from),
                              other.begin() + static_cast<std::ptrdiff_t>(from + count));
            input.insert(at, piece.begin(), piece.end());
        }
    }
    if (input.size() > longest_input) input.resize(longest_input);
}

void try_input(const Bytes& input) {
    BlindRun& run = blind_run();
    run.current = &input;
    may_take(run.timeout);
    LLVMFuzzerTestOneInput(input.data(), input.size());
    may_take(0);
    run.current = nullptr;
}

Bytes next_input() {
    BlindRun& run = blind_run();
    Bytes input = run.seeds[below(run.seeds.size())];
    if (LLVMFuzzerCustomMutator) {
        const std::size_t size = input.size();
        input.resize(longest_input);
        input.resize(
            LLVMFuzzerCustomMutator(input.data(), size, longest_input, static_cast<unsigned>(run.random())));
    } else {
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) change_once(input);
    }
    return input;
}

}  // namespace

/// What custom mutators call for a change without a plan.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most) {
    Bytes input(data, data + size);
    change_once(input);
    input.resize(std::min(input.size(), most));
    std::copy(input.begin(), input.end(), data);
    return input.size();
}

int main(int count, char** words) {
    BlindRun& run = blind_run();
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        const std::string value(word.substr(std::min(word.find('='), word.size() - 1) + 1));
        if (word.starts_with("-max_total_time="))
            run.seconds = static_cast<unsigned>(std::stoul(value));
        else if (word.starts_with("-timeout="))
            run.timeout = static_cast<unsigned>(std::stoul(value));
        else if (word.starts_with("-seed="))
            run.seed = static_cast<unsigned>(std::stoul(value));
        else if (word.starts_with("-dict="))
            run.words = dictionary(value);
        else if (word.starts_with("-artifact_prefix="))
            run.prefix = value;
        else if (!word.starts_with('-'))
            read_seeds(word);
    }
    run.random.seed(run.seed);
    if (run.seeds.empty()) run.seeds.push_back({});
    ::signal(SIGPROF, took_too_long);
    ::signal(SIGABRT, crashed);
    __sanitizer_set_death_callback(keep_finding);
    std::fprintf(stderr, "%zu seeds, -seed=%u\n", run.seeds.size(), run.seed);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(run.seconds);
    std::size_t tried = 0;
    const auto over = [&] { return std::chrono::steady_clock::now() >= end; };
    for (std::size_t i = 0; i < run.seeds.size() && !over(); ++i, ++tried) try_input(Bytes(run.seeds[i]));
    for (; !over(); ++tried) try_input(next_input());
    std::fprintf(stderr, "%zu inputs\n", tried);
    return 0;
}
