// SPDX-License-Identifier: BSL-1.0
#include "layer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <unistd.h> // environ

#include <tutti/core/error.hpp>
#include <tutti/core/spelling.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/version.hpp>

// MPI 5 has it.
extern "C" int PMPI_Abi_get_version(int* version, int* subversion) __attribute__((weak));

namespace tutti::pmpi {

thread_local bool layer::makes_twin_ = false;

layer& layer::here() {
    static layer* const one = new layer; // for ever: programs may call MPI while they end
    return *one;
}

namespace {
/// MPIs differ in what a handle is. All that are neither Open MPI nor keep to the standard have MPICH's.
enum class handles { of_the_standard, of_open_mpi, of_mpich };

#if defined(MPI_ABI)
static_assert(MPI_ABI_VERSION == 1);
constexpr handles compiled_for = handles::of_the_standard;
#elif defined(OPEN_MPI)
constexpr handles compiled_for = handles::of_open_mpi;
#else
constexpr handles compiled_for = handles::of_mpich;
#endif

const char* name_of(handles which) noexcept {
    switch (which) {
    case handles::of_the_standard: return "the standard ABI of MPI 5";
    case handles::of_open_mpi: return "Open MPI";
    case handles::of_mpich: return "MPICH and its like";
    }
    return "";
}

/// What MPI_Abi_get_version says without the standard ABI, which comes as a library of its own, is -1.
handles handles_in_use(std::string_view library) {
    int version = -1, subversion = -1;
    if (PMPI_Abi_get_version != nullptr) PMPI_Abi_get_version(&version, &subversion);
    if (version >= 0) return handles::of_the_standard;
    return library.find("Open MPI") != library.npos ? handles::of_open_mpi : handles::of_mpich;
}
} // namespace

void layer::check_library() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    PMPI_Get_library_version(text, &length);
    const std::string_view library(text, static_cast<std::size_t>(length));
    const handles found = handles_in_use(library);
    if (found == compiled_for) return;
    std::fprintf(stderr,
                 "tutti: this library is made for %s, but the program uses %s (%s): build it with "
                 "-DMPI_CXX_COMPILER= and that MPI's mpicxx\n",
                 name_of(compiled_for), name_of(found),
                 std::string(library.substr(0, library.find('\n'))).c_str());
    std::exit(2);
}

namespace {
/// Rank 0's text, on all ranks.
std::string told_by_rank_0(std::string text) {
    unsigned long length = text.size();
    PMPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    text.resize(length);
    PMPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD);
    return text;
}

/// What rank 0 has: ranks that are told differently would make different calls.
std::string variable_of_rank_0(const char* name, int rank) {
    const char* const set = rank == 0 ? std::getenv(name) : nullptr;
    return told_by_rank_0(set == nullptr ? "" : set);
}

/// What is spelt wrong would be ignored without a word.
void tell_of_unknown_variables() {
    static constexpr std::array<std::string_view, 6> known{"TUTTI_REPORT",    "TUTTI_TRIAL", "TUTTI_OFF",
                                                           "TUTTI_ALGORITHM", "TUTTI_TABLE", "TUTTI_NODES"};
    for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
        const std::string_view set = *at;
        const std::string_view name = set.substr(0, set.find('='));
        if (!name.starts_with("TUTTI_") || std::find(known.begin(), known.end(), name) != known.end())
            continue;
        std::fprintf(stderr, "tutti: %s means nothing to this library, which knows %s\n",
                     tutti::detail::misspelt(name, known).c_str(), tutti::detail::listed(known).c_str());
    }
}

/// Rank 0 reads the file, which other nodes may not have.
std::shared_ptr<const decision_table> table_of_rank_0(int rank) {
    const std::string path = variable_of_rank_0("TUTTI_TABLE", rank);
    if (path.empty()) return nullptr;
    std::string rules, fault;
    if (rank == 0) {
        try {
            rules = text_of(table_of(path));
        } catch (const std::exception& e) {
            fault = e.what();
        }
    }
    fault = told_by_rank_0(fault);
    if (!fault.empty()) throw error(fault);
    return std::make_shared<const decision_table>(parse_decision_table(told_by_rank_0(rules), path));
}

/// Ranks that were started without the layer never come: then it is said why nothing moves.
void wait_for_all() {
    MPI_Request all = MPI_REQUEST_NULL;
    PMPI_Ibarrier(MPI_COMM_WORLD, &all);
    constexpr std::chrono::seconds long_enough(5);
    const auto begin = std::chrono::steady_clock::now();
    bool told = false;
    for (int here = 0; PMPI_Test(&all, &here, MPI_STATUS_IGNORE) == MPI_SUCCESS && here == 0;) {
        if (!told && std::chrono::steady_clock::now() - begin > long_enough) {
            std::fprintf(stderr,
                         "tutti: still waiting for some ranks in MPI_Init: do all have this library in "
                         "LD_PRELOAD, processes that were spawned, too?\n");
            told = true;
        }
        std::this_thread::yield();
    }
}
} // namespace

void layer::begin() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wait_for_all();
    try {
        if (rank == 0) tell_of_unknown_variables();
        const std::string report = variable_of_rank_0("TUTTI_REPORT", rank);
        const std::string trial = variable_of_rank_0("TUTTI_TRIAL", rank);
        const std::string off = variable_of_rank_0("TUTTI_OFF", rank);
        those_ = settings::of(report, trial, off, variable_of_rank_0("TUTTI_ALGORITHM", rank));
        those_.table = table_of_rank_0(rank);
        const std::string nodes = variable_of_rank_0("TUTTI_NODES", rank);
        if (!nodes.empty())
            those_.nodes = mpi::nodes_from("TUTTI_NODES", nodes, mpi::size_of(MPI_COMM_WORLD));
    } catch (const std::exception& e) {
        // All ranks are here, for the same reason. An abort might end the program before that is passed on.
        if (rank == 0) std::fprintf(stderr, "%s\n", e.what());
        PMPI_Finalize();
        std::exit(2);
    }
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &layer::drop, &key_, this);
    begun_ = true;
}

void layer::end() {
    if (!begun_) return;
    begun_ = false;
    if (those_.report) report();
    PMPI_Barrier(MPI_COMM_WORLD);
    const std::lock_guard lock(mutex_);
    // All at a time: other ranks may have come by theirs in another order.
    while (!twins_.empty()) {
        std::erase_if(twins_, [](const std::unique_ptr<twin>& one) { return one->settles(); });
        std::this_thread::yield();
    }
    PMPI_Comm_free_keyval(&key_);
}

/// MPI may call it with locks of its own: the twin, which calls MPI, is destroyed by forget(), or by end()
/// where a communicator is freed behind the layer's back.
int layer::drop(MPI_Comm, int, void*, void* extra) {
    ++static_cast<layer*>(extra)->dropped_;
    return MPI_SUCCESS;
}

void layer::forget(MPI_Comm comm) {
    void* value = nullptr;
    int is_there = 0;
    if (!begun_ || comm == MPI_COMM_NULL || PMPI_Comm_get_attr(comm, key_, &value, &is_there) != MPI_SUCCESS
        || is_there == 0)
        return;
    PMPI_Comm_delete_attr(comm, key_);
    std::unique_ptr<twin> mine; // destroyed without the lock: it waits for other ranks
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(twins_.begin(), twins_.end(), [&](auto& one) { return one.get() == value; });
    if (at == twins_.end()) return;
    remember(**at);
    mine = std::move(*at);
    twins_.erase(at);
}

std::unique_ptr<twin> layer::make_twin(MPI_Comm comm) {
    const auto taken = [this](collective what, const choice& made) {
        if (!those_.report) return; // by a table each call is chosen anew
        const std::lock_guard lock(mutex_);
        algorithms_[static_cast<std::size_t>(what)].insert(tutti::name_of(made));
    };
    const struct in_the_making { // calls of MPI by our own headers are MPI's
        in_the_making() noexcept { makes_twin_ = true; }
        ~in_the_making() { makes_twin_ = false; }
    } now;
    const auto choosing = [&](const node_map& nodes, cores inside) {
        return std::make_shared<const chooser_of_settings>(those_, nodes, inside, taken);
    };
    return std::make_unique<twin>(comm, those_, choosing);
}

void layer::remember(const twin& one) {
    for (std::string& what : one.left_to_mpi()) slower_.insert(std::move(what));
}

/// MPI takes a lock to tell: programs mostly call for one communicator again and again.
twin* layer::twin_of(MPI_Comm comm, mpi_call which, reason& why) {
    thread_local MPI_Comm last = MPI_COMM_NULL;
    thread_local twin* found = nullptr;
    thread_local std::uint64_t dropped = 0;
    if (comm == last && dropped == dropped_.load(std::memory_order_acquire) && found != nullptr) return found;
    found = look_up(comm, which, why);
    last = comm;
    dropped = dropped_.load(std::memory_order_acquire);
    return found;
}

twin* layer::look_up(MPI_Comm comm, mpi_call which, reason& why) {
    static char asked_once; // its address stands for a twin
    void* value = nullptr;
    int is_there = 0;
    why = reason::no_wires;
    if (comm == MPI_COMM_NULL || PMPI_Comm_get_attr(comm, key_, &value, &is_there) != MPI_SUCCESS)
        return nullptr; // MPI says what is wrong with it
    if (is_there == 0 || value == &asked_once) {
        int between_groups = 0, size = 0;
        PMPI_Comm_test_inter(comm, &between_groups);
        PMPI_Comm_size(comm, &size);
        const bool can_have_one = between_groups == 0 && size > 1;
        const bool may_wait = those_.tried()[static_cast<std::size_t>(which)] && !folds(collective_of(which));
        if (is_there == 0 && can_have_one && may_wait) {
            PMPI_Comm_set_attr(comm, key_, &asked_once);
            why = reason::first_here;
            return nullptr;
        }
        std::unique_ptr<twin> made;
        if (can_have_one) made = make_twin(comm);
        value = made.get();
        PMPI_Comm_set_attr(comm, key_, value);
        const std::lock_guard lock(mutex_);
        if (made != nullptr && !made->has_wires()) lacks_.insert(made->lacks());
        if (made != nullptr) twins_.push_back(std::move(made));
    }
    twin* const found = static_cast<twin*>(value);
    return found != nullptr && found->has_wires() ? found : nullptr;
}

void layer::count(mpi_call which, reason why, std::uint64_t bytes, double seconds) {
    const std::lock_guard lock(mutex_);
    call_count& c = counts_[static_cast<std::size_t>(which)];
    ++c.by_reason[static_cast<std::size_t>(why)];
    c.bytes += bytes;
    (is_of_tutti(why) ? c.seconds : c.seconds_in_mpi) += seconds;
}

int layer::raise(MPI_Comm comm, const std::string& why) noexcept {
    // In a class of its own: of MPI_ERR_OTHER, MPICH 4.0 makes another text.
    static const int kind = [] {
        int made = MPI_ERR_OTHER;
        PMPI_Add_error_class(&made);
        return made;
    }();
    int code = MPI_ERR_OTHER;
    if (PMPI_Add_error_code(kind, &code) == MPI_SUCCESS)
        PMPI_Add_error_string(code, why.substr(0, MPI_MAX_ERROR_STRING - 1).c_str());
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

namespace {
/// "40 on trial, 7 by TUTTI_OFF": why calls were tutti's, or why not; "" if there were none.
std::string calls_by_reason(bool ours, const double* calls, rank_type ranks) {
    std::string list;
    for (std::size_t at = 0; at < number_of_reasons; ++at) {
        const auto why = static_cast<reason>(at);
        if (is_of_tutti(why) != ours || calls[at] == 0) continue;
        char number[32];
        std::snprintf(number, sizeof number, "%s%.6g ", list.empty() ? "" : ", ", calls[at] / ranks);
        list.append(number).append(name_of(why));
    }
    return list;
}
} // namespace

void layer::report() {
    constexpr std::size_t figures = number_of_reasons + 3; // calls by reason, bytes, seconds, those in MPI
    std::array<double, figures * mpi_calls> mine{}, sums{}, most{};
    for (std::size_t at = 0; at < mpi_calls; ++at) {
        const call_count& c = counts_[at];
        double* const to = mine.data() + figures * at;
        for (std::size_t k = 0; k < number_of_reasons; ++k) to[k] = static_cast<double>(c.by_reason[k]);
        to[number_of_reasons] = static_cast<double>(c.bytes);
        to[number_of_reasons + 1] = c.seconds;
        to[number_of_reasons + 2] = c.seconds_in_mpi;
    }
    PMPI_Reduce(mine.data(), sums.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_SUM, 0,
                MPI_COMM_WORLD);
    PMPI_Reduce(mine.data(), most.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MAX, 0,
                MPI_COMM_WORLD);
    const rank_type nodes = (those_.nodes ? *those_.nodes : mpi::nodes_seen_in(MPI_COMM_WORLD)).nodes();
    const rank_type rank = mpi::rank_in(MPI_COMM_WORLD), size = mpi::size_of(MPI_COMM_WORLD);
    if (rank != 0) return;
    std::fprintf(stderr,
                 "tutti %d.%d.%d, %d rank%s on %d node%s; for each of them, and seconds of the slowest\n"
                 "%-20s %9s %11s %11s %12s %11s\n",
                 version.breaking, version.feature, version.fix, static_cast<int>(size), size == 1 ? "" : "s",
                 static_cast<int>(nodes), nodes == 1 ? "" : "s", "call", "by tutti", "left to MPI",
                 "MB by tutti", "s in tutti", "s in MPI");
    std::string whys;
    for (std::size_t at = 0; at < mpi_calls; ++at) {
        const double* const sum = sums.data() + figures * at;
        double calls[2] = {}; // MPI's, tutti's
        for (std::size_t k = 0; k < number_of_reasons; ++k)
            calls[is_of_tutti(static_cast<reason>(k)) ? 1 : 0] += sum[k];
        if (calls[0] + calls[1] == 0) continue;
        const std::string name(name_of(static_cast<mpi_call>(at)));
        const double* const longest = most.data() + figures * at + number_of_reasons + 1;
        std::fprintf(stderr, "%-20s %9.6g %11.6g %11.3f %12.6f %11.6f\n", name.c_str(), calls[1] / size,
                     calls[0] / size, sum[number_of_reasons] / size / 1e6, longest[0], longest[1]);
        for (const bool ours : {true, false})
            if (const std::string list = calls_by_reason(ours, sum, size); !list.empty())
                whys.append(name).append(ours ? ", by tutti: " : ", left to MPI: ").append(list).append("\n");
    }
    std::fputs(whys.c_str(), stderr);
    for (const std::string& why : lacks_)
        std::fprintf(stderr, "a communicator was left to MPI: %s\n", why.c_str());
    for (const std::unique_ptr<twin>& one : twins_) remember(*one);
    for (const std::string& what : slower_)
        std::fprintf(stderr, "left to MPI, which was faster: %s\n", what.c_str());
    // Of the communicators that rank 0 is in.
    for (const collective what : all_collectives) {
        std::string names;
        for (const std::string& one : algorithms_[static_cast<std::size_t>(what)])
            names.append(names.empty() ? " by " : ", ").append(one);
        if (!names.empty())
            std::fprintf(stderr, "%s%s\n", std::string(tutti::name_of(what)).c_str(), names.c_str());
    }
}

} // namespace tutti::pmpi
