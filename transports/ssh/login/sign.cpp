#include "transports/ssh/login/sign.hpp"

#include <cstring>

#include "support/error.hpp"
#include "transports/coroutines/start.hpp"

namespace volley::transports::ssh {
namespace {

std::string_view take_text(std::string_view& rest) {
    if (rest.size() < 4) return {};
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(rest[i]);
    rest.remove_prefix(4);
    const std::string_view text = rest.substr(0, length);
    rest.remove_prefix(text.size());
    return text;
}

/// The algorithm named in what is to be signed (RFC 4252, section 7): libssh2 1.11 may have chosen another
/// than the key's own name. A certificate's algorithm is that of its key.
std::string signature_algorithm(std::string_view data) {
    take_text(data);                              // session id
    data.remove_prefix(data.empty() ? 0 : 1);     // USERAUTH_REQUEST
    for (int i = 0; i < 3; ++i) take_text(data);  // user, service, "publickey"
    data.remove_prefix(data.empty() ? 0 : 1);     // true
    std::string algorithm(take_text(data));
    constexpr std::string_view certificate = "-cert-v01@openssh.com";
    if (algorithm.ends_with(certificate)) algorithm.resize(algorithm.size() - certificate.size());
    return algorithm;
}

}  // namespace

struct Signer::Job {
    enum class State { Idle, Pending, Ready, Failed };
    State state = State::Idle;
    std::weak_ptr<Session> session;
    std::string data;
    std::string algorithm;
    std::string signature;  // without the algorithm's name, as libssh2 wants it
    std::string error;
};

Signer::Signer(std::shared_ptr<Session> session, Candidate candidate, KeyStore& keys, Runtime& runtime)
    : job_(std::make_shared<Job>()), candidate_(std::move(candidate)), keys_(keys), runtime_(runtime) {
    job_->session = session;
}

const std::string& Signer::error() const noexcept { return job_->error; }

int Signer::callback(LIBSSH2_SESSION*, unsigned char** signature, size_t* length, const unsigned char* data,
                     size_t data_length, void** abstract) {
    Signer& self = *static_cast<Signer*>(*abstract);
    Job& job = *self.job_;
    if (job.state == Job::State::Idle) {
        job.data.assign(reinterpret_cast<const char*>(data), data_length);
        job.algorithm = signature_algorithm(job.data);
        job.state = Job::State::Pending;
        auto work = Signer::work(self.job_, self.candidate_, self.keys_, self.runtime_);
        start(self.runtime_.loop().get_executor(), std::move(work));
    }
    if (job.state == Job::State::Pending) return LIBSSH2_ERROR_EAGAIN;
    return job.state == Job::State::Ready ? self.deliver(signature, length)
                                          : LIBSSH2_ERROR_AUTHENTICATION_FAILED;
}

int Signer::deliver(unsigned char** signature, size_t* length) const {
    const std::string& bytes = job_->signature;
    auto* copy = static_cast<unsigned char*>(tracked_allocate(bytes.size()));  // libssh2 frees it
    if (copy == nullptr) return LIBSSH2_ERROR_ALLOC;
    std::memcpy(copy, bytes.data(), bytes.size());
    *signature = copy;
    *length = bytes.size();
    return 0;
}

Task<void> Signer::work(std::shared_ptr<Job> job, Candidate candidate, KeyStore& keys, Runtime& runtime) {
    try {
        std::string blob;
        if (candidate.agent != nullptr) {
            blob = co_await candidate.agent->sign(candidate.key.blob, job->data, agent_flags(job->algorithm));
        } else {
            if (!candidate.loaded) candidate.loaded = co_await keys.load_file(candidate.file);
            auto sign = [key = candidate.loaded, job] { return key->sign(job->data, job->algorithm); };
            if (candidate.key.type == "ssh-rsa") {  // 2 ms, against 0.05 for the others
                blob = co_await runtime.blocking(std::move(sign));
            } else {
                blob = sign();
            }
        }
        job->signature = signature_body(blob);
        job->state = Job::State::Ready;
    } catch (const Error& error) {
        job->error = error.info().msg();
        job->state = Job::State::Failed;
    } catch (const std::exception& error) {
        job->error = error.what();
        job->state = Job::State::Failed;
    }
    if (const auto session = job->session.lock()) session->wake();
}

}  // namespace volley::transports::ssh
