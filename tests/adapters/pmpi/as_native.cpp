// SPDX-License-Identifier: BSL-1.0
//
// An MPI program that makes every call that the PMPI layer takes over, with all predefined types and
// operations and with the user's own, and compares each answer with that of MPI's own call. The layer is laid
// before it by LD_PRELOAD. Exits 1 if an answer differs.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <tutti/mpi/calls.hpp>

#include "counts.hpp"

namespace {

int failures = 0;
int checks = 0;

void check(bool is_right, const std::string& what) {
    ++checks;
    if (is_right) return;
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (++failures <= 20) std::fprintf(stderr, "rank %d: %s differs\n", rank, what.c_str());
}

/// Whether the layer has MPI run some of the calls that are compared.
bool mpi_runs_some() {
    const char* const told = std::getenv("TUTTI_TRIAL");
    return told == nullptr || std::strcmp(told, "0") != 0;
}
/// Whether also such as MPI may answer with other bits.
bool bits_may_change() {
    const char* const told = std::getenv("TUTTI_TRIAL");
    return told != nullptr && std::strcmp(told, "all") == 0;
}

/// Whether the first call of any kind on a communicator is tutti's.
bool starts_with_tutti() { return std::getenv("TUTTI_OFF") == nullptr; }

struct group {
    MPI_Comm comm;
    int rank = 0;
    int size = 0;

    explicit group(MPI_Comm c) : comm(c) {
        MPI_Comm_rank(c, &rank);
        MPI_Comm_size(c, &size);
    }
};

/// Makes the call with memory of those contents, and compares what it leaves in all of it.
template <class T>
void expect(const std::string& what, const std::vector<T>& expected, std::vector<T> out,
            const std::function<int(std::vector<T>& out)>& call) {
    check(call(out) == MPI_SUCCESS, what + " (its code)");
    check(std::equal(expected.begin(), expected.end(), out.begin()), what);
}

/// The same, against what MPI's own call leaves.
template <class T>
void compare(const std::string& what, const std::vector<T>& before,
             const std::function<int(bool native, std::vector<T>& out)>& call) {
    std::vector<T> theirs = before;
    check(call(true, theirs) == MPI_SUCCESS, what + " (MPI's code)");
    expect<T>(what, theirs, before, [&](std::vector<T>& out) { return call(false, out); });
}

/// Every call that folds. What they are to answer is in MPI's own allreduce and scans: where ranks outnumber
/// cores, some MPIs take milliseconds for a call.
template <class T>
void fold_all(const group& g, MPI_Datatype type, MPI_Op op, const std::string& name,
              const std::function<T(int)>& value, std::vector<int> counts = {1, 7, 3001}) {
    using data = std::vector<T>;
    for (const int n : counts) {
        data in(static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i) in[static_cast<std::size_t>(i)] = value(31 * g.rank + i);
        const data blank(in.size(), value(999));
        const std::string what = name + " of " + std::to_string(n);
        data all = blank, before_me = blank, to_me = blank;
        check(PMPI_Allreduce(in.data(), all.data(), n, type, op, g.comm) == MPI_SUCCESS, "MPI's allreduce");
        check(PMPI_Exscan(in.data(), before_me.data(), n, type, op, g.comm) == MPI_SUCCESS, "MPI's exscan");
        check(PMPI_Scan(in.data(), to_me.data(), n, type, op, g.comm) == MPI_SUCCESS, "MPI's scan");

        expect<T>("allreduce " + what, all, blank,
                  [&](data& out) { return MPI_Allreduce(in.data(), out.data(), n, type, op, g.comm); });
        expect<T>("allreduce in place " + what, all, in,
                  [&](data& out) { return MPI_Allreduce(MPI_IN_PLACE, out.data(), n, type, op, g.comm); });
        const int root = n % g.size;
        const bool is_root = g.rank == root;
        expect<T>("reduce " + what, is_root ? all : blank, blank, [&](data& out) {
            return MPI_Reduce(in.data(), is_root ? out.data() : nullptr, n, type, op, root, g.comm);
        });
        // Of MPI not in place: MPICH 4.0 crashes there for roots other than 0.
        if (root == 0 || !mpi_runs_some())
            expect<T>("reduce in place " + what, is_root ? all : in, in, [&](data& out) {
                return is_root ? MPI_Reduce(MPI_IN_PLACE, out.data(), n, type, op, root, g.comm)
                               : MPI_Reduce(out.data(), nullptr, n, type, op, root, g.comm);
            });
        // Without an operand before it, rank 0's result is undefined: it stays as it is in ours.
        const auto exscan = [&](const void* from) {
            return [&, from](data& out) {
                const int code = MPI_Exscan(from, out.data(), n, type, op, g.comm);
                if (g.rank == 0) out = before_me;
                return code;
            };
        };
        expect<T>("exscan " + what, before_me, blank, exscan(in.data()));
        expect<T>("exscan in place " + what, before_me, in, exscan(MPI_IN_PLACE));

        expect<T>("scan " + what, to_me, blank,
                  [&](data& out) { return MPI_Scan(in.data(), out.data(), n, type, op, g.comm); });
        expect<T>("scan in place " + what, to_me, in,
                  [&](data& out) { return MPI_Scan(MPI_IN_PLACE, out.data(), n, type, op, g.comm); });

        std::vector<count_type> parts(static_cast<std::size_t>(g.size), n / g.size);
        parts[0] += n % g.size; // and none for some, when there are few
        const auto own = static_cast<std::ptrdiff_t>(parts[static_cast<std::size_t>(g.rank)]);
        const auto first =
            all.begin() + std::accumulate(parts.begin(), parts.begin() + g.rank, std::ptrdiff_t{0});
        const data part(first, first + own);
        expect<T>("reduce_scatter " + what, part, data(part.size(), value(999)), [&](data& out) {
            return MPI_Reduce_scatter(in.data(), out.data(), parts.data(), type, op, g.comm);
        });
        expect<T>("reduce_scatter in place " + what, part, in, [&](data& out) { // MPI may use the rest
            return MPI_Reduce_scatter(MPI_IN_PLACE, out.data(), parts.data(), type, op, g.comm);
        });
        const int each = n / g.size;
        data block(all.begin() + each * g.rank, all.begin() + each * (g.rank + 1));
        block.push_back(value(999));
        expect<T>("reduce_scatter_block " + what, block, data(block.size(), value(999)), [&](data& out) {
            return MPI_Reduce_scatter_block(in.data(), out.data(), each, type, op, g.comm);
        });
    }
}

/// A real or complex number of that value.
template <class T>
T number(int value) {
    if constexpr (std::is_arithmetic_v<T>)
        return static_cast<T>(value);
    else
        return static_cast<typename T::value_type>(value);
}

/// All operations on numbers, with values small enough for the order not to matter.
template <class T>
void fold_numbers(const group& g, MPI_Datatype type, const std::string& name) {
    if (type == MPI_DATATYPE_NULL) return;
    const std::function<T(int)> small = [](int i) { return number<T>(i % 5); };
    const std::function<T(int)> tiny = [](int i) { return number<T>(i % 16 == 0 ? 2 : 1); };
    fold_all<T>(g, type, MPI_SUM, name + " sum", small);
    fold_all<T>(g, type, MPI_PROD, name + " product", tiny, {5, 700});
    if constexpr (std::is_arithmetic_v<T>) {
        fold_all<T>(g, type, MPI_MAX, name + " max", small, {5, 700});
        fold_all<T>(g, type, MPI_MIN, name + " min", small, {5, 700});
    }
    if constexpr (std::is_integral_v<T>) {
        for (const auto& [op, text] :
             {std::pair{MPI_LAND, " land"}, std::pair{MPI_LOR, " lor"}, std::pair{MPI_LXOR, " lxor"},
              std::pair{MPI_BAND, " band"}, std::pair{MPI_BOR, " bor"}, std::pair{MPI_BXOR, " bxor"}})
            fold_all<T>(g, type, op, name + text, small, {5, 700});
    }
}

template <class Value, class Index>
struct pair_of {
    Value value;
    Index index;
    friend bool operator==(const pair_of&, const pair_of&) = default;
};

template <class Value, class Index = int>
void fold_pairs(const group& g, MPI_Datatype type, const std::string& name) {
    if (type == MPI_DATATYPE_NULL) return;
    using T = pair_of<Value, Index>;
    const std::function<T(int)> value = [](int i) {
        T made;
        std::memset(&made, 0, sizeof made);
        made.value = static_cast<Value>(i * 7 % 11);
        made.index = static_cast<Index>(i % 1000);
        return made;
    };
    fold_all<T>(g, type, MPI_MAXLOC, name + " maxloc", value, {3, 500});
    fold_all<T>(g, type, MPI_MINLOC, name + " minloc", value, {3, 500});
}

/// f(x) = a x + b, modulo a prime: composing them does not commute.
struct affine {
    int a;
    int b;
    friend bool operator==(const affine&, const affine&) = default;
};

void compose(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* const left = static_cast<const affine*>(in);
    auto* const right = static_cast<affine*>(inout);
    for (int i = 0; i < *count; ++i)
        right[i] = {left[i].a * right[i].a % 97, (left[i].b * right[i].a + right[i].b) % 97};
}

void fold_own(const group& g) {
    MPI_Datatype two_ints = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &two_ints);
    MPI_Type_commit(&two_ints);
    MPI_Op in_order = MPI_OP_NULL;
    MPI_Op_create(&compose, 0, &in_order);
    const std::function<affine(int)> value = [](int i) { return affine{1 + i % 96, i * 13 % 97}; };
    fold_all<affine>(g, two_ints, in_order, "compositions", value);
    // To each root in turn: an algorithm may keep the order for some of them.
    for (int k = 0; k < 2 * g.size; ++k) {
        const affine mine = value(11 * g.rank + k);
        const int root = (2 + 3 * k) % g.size;
        compare<affine>("composition to root " + std::to_string(root), {value(999)},
                        [&](bool native, std::vector<affine>& out) {
                            return (native ? PMPI_Reduce : MPI_Reduce)(&mine, out.data(), 1, two_ints,
                                                                       in_order, root, g.comm);
                        });
    }
    MPI_Op_free(&in_order);
    MPI_Type_free(&two_ints);
    const auto largest = [](void* in, void* inout, int* count, MPI_Datatype*) {
        for (int i = 0; i < *count; ++i)
            static_cast<double*>(inout)[i] =
                std::max(static_cast<double*>(in)[i], static_cast<double*>(inout)[i]);
    };
    MPI_Op any_order = MPI_OP_NULL;
    MPI_Op_create(largest, 1, &any_order);
    fold_all<double>(g, MPI_DOUBLE, any_order, "the user's largest", [](int i) { return i * 37 % 101 / 4.; });
    MPI_Op_free(&any_order);
}

/// Parts of a vector, one for each rank, and where they are in it.
struct parts_of_ranks {
    std::vector<count_type> counts{};
    std::vector<place_type> places{};
    int end = 0; ///< behind all of them

    /// From the last rank to the first, a hole behind each, if they are `scattered`; else one behind the
    /// other.
    parts_of_ranks(std::vector<count_type> of_ranks, bool scattered) : counts(std::move(of_ranks)) {
        places.resize(counts.size());
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const std::size_t r = scattered ? counts.size() - 1 - k : k;
            places[r] = end;
            end += static_cast<int>(counts[r]) + (scattered ? 1 : 0);
        }
    }
    int of(int rank) const { return static_cast<int>(counts[static_cast<std::size_t>(rank)]); }
};

/// Whether this rank names what others send as elements of a type as the ints in them, which is the same
/// signature. Not among many: Open MPI 4.1 chooses an allgatherv by the length of a rank's own type, and
/// hangs.
bool speaks_of_ints(const group& g) { return g.size < 8 && g.rank % 2 == 1; }

std::vector<int> numbered(std::size_t length, int seed) {
    std::vector<int> d(length);
    for (std::size_t i = 0; i < length; ++i) d[i] = seed * 100000 + static_cast<int>(i);
    return d;
}

/// The calls in which a rank knows its own counts only: to and from `root` go counts[r] elements of rank r,
/// none of some. Where they are not significant, counts and types are nonsense, and lists and buffers null.
void move_by_own_counts(const group& g, MPI_Datatype type, int ints, int extent, const std::string& what,
                        const std::vector<count_type>& counts, int root, int n) {
    using data = std::vector<int>;
    const bool plain = speaks_of_ints(g);
    const MPI_Datatype own_type = plain ? MPI_INT : type;
    const bool is_root = g.rank == root;
    const int own = static_cast<int>(counts[static_cast<std::size_t>(g.rank)]) * (plain ? ints : 1);
    const data mine = numbered(static_cast<std::size_t>(own * extent + 1), g.rank);
    for (const bool scattered : {false, true}) {
        const parts_of_ranks parts(counts, scattered);
        const data wide = numbered(static_cast<std::size_t>(parts.end * extent + 1), 40 + g.rank);
        const count_type* const root_counts = is_root ? parts.counts.data() : nullptr;
        const place_type* const root_places = is_root ? parts.places.data() : nullptr;
        const MPI_Datatype root_type = is_root ? type : MPI_DATATYPE_NULL;
        for (const bool in_place : {false, true}) {
            const bool stays = in_place && is_root;
            const std::string where =
                (in_place ? "in place " : "") + std::string(scattered ? "scattered " : "") + what;
            compare<int>("gatherv " + where, wide, [&](bool native, data& out) {
                return (native ? PMPI_Gatherv : MPI_Gatherv)(
                    stays ? MPI_IN_PLACE : mine.data(), stays ? -3 : own,
                    stays ? MPI_DATATYPE_NULL : own_type, is_root ? out.data() : nullptr, root_counts,
                    root_places, root_type, root, g.comm);
            });
            compare<int>("scatterv " + where, mine, [&](bool native, data& out) {
                return (native ? PMPI_Scatterv
                               : MPI_Scatterv)(is_root ? wide.data() : nullptr, root_counts, root_places,
                                               root_type, stays ? MPI_IN_PLACE : out.data(), stays ? -3 : own,
                                               stays ? MPI_DATATYPE_NULL : own_type, root, g.comm);
            });
        }
    }
    // From rank i to rank j: as many as from j to i where all is in place, another number elsewhere.
    const auto between = [&](int i, int j, bool alike) {
        return (i + j) % 3 == 0 ? 0 : alike ? (n + i * j) / (1 + i + j) : (n + i + 2 * j) / (1 + i);
    };
    for (const bool scattered : {false, true}) {
        const std::string where = std::string(scattered ? "scattered " : "") + what;
        std::vector<count_type> to, from, both;
        for (int r = 0; r < g.size; ++r) {
            to.push_back(between(g.rank, r, false) * (plain ? ints : 1));
            from.push_back(between(r, g.rank, false));
            both.push_back(between(g.rank, r, true));
        }
        const parts_of_ranks sent(to, scattered), received(from, g.rank == 0), same(both, scattered);
        const data given = numbered(static_cast<std::size_t>(sent.end * extent + 1), g.rank);
        compare<int>("alltoallv " + where, numbered(static_cast<std::size_t>(received.end * extent + 1), 97),
                     [&](bool native, data& out) {
                         return (native ? PMPI_Alltoallv : MPI_Alltoallv)(
                             given.data(), sent.counts.data(), sent.places.data(), own_type, out.data(),
                             received.counts.data(), received.places.data(), type, g.comm);
                     });
        compare<int>("alltoallv in place " + where,
                     numbered(static_cast<std::size_t>(same.end * extent + 1), g.rank),
                     [&](bool native, data& out) {
                         return (native ? PMPI_Alltoallv : MPI_Alltoallv)(
                             MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, out.data(),
                             same.counts.data(), same.places.data(), type, g.comm);
                     });
    }
}

/// Every call that moves data, in elements of `type` that are `ints` ints with holes between.
void move_all(const group& g, MPI_Datatype type, int ints, int extent, const std::string& name) {
    using data = std::vector<int>;
    for (const int n : {1, 3, 500}) {
        const auto room = static_cast<std::size_t>(n * extent);
        const auto all = room * static_cast<std::size_t>(g.size);
        const data mine = numbered(all, g.rank);
        const data blank = numbered(all, 99);
        const std::string what = name + " of " + std::to_string(n);
        const int root = n % g.size;
        const bool plain = speaks_of_ints(g);
        compare<int>("bcast " + what, mine, [&](bool native, data& out) {
            return (native ? PMPI_Bcast : MPI_Bcast)(out.data(), plain ? n * ints : n, plain ? MPI_INT : type,
                                                     root, g.comm);
        });
        compare<int>("allgather " + what, blank, [&](bool native, data& out) {
            return (native ? PMPI_Allgather : MPI_Allgather)(
                mine.data(), plain ? n * ints : n, plain ? MPI_INT : type, out.data(), n, type, g.comm);
        });
        compare<int>("allgather in place " + what, mine, [&](bool native, data& out) {
            return (native ? PMPI_Allgather : MPI_Allgather)(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(),
                                                             n, type, g.comm);
        });
        // Where they are not significant, counts and types are nonsense, and buffers null.
        const bool is_root = g.rank == root;
        const int in_count = plain ? n * ints : n;
        const MPI_Datatype in_type = plain ? MPI_INT : type;
        for (const bool in_place : {false, true}) {
            const std::string where = (in_place ? "in place " : "") + what;
            compare<int>("gather " + where, in_place ? mine : blank, [&](bool native, data& out) {
                const bool lies_there = in_place && is_root;
                return (native ? PMPI_Gather : MPI_Gather)(
                    lies_there ? MPI_IN_PLACE : mine.data(), lies_there ? 0 : in_count,
                    lies_there ? MPI_DATATYPE_NULL : in_type, is_root ? out.data() : nullptr,
                    is_root ? n : -7, is_root ? type : MPI_DATATYPE_NULL, root, g.comm);
            });
            compare<int>("scatter " + where, blank, [&](bool native, data& out) {
                const bool stays_there = in_place && is_root;
                return (native ? PMPI_Scatter : MPI_Scatter)(
                    is_root ? mine.data() : nullptr, is_root ? n : -7, is_root ? type : MPI_DATATYPE_NULL,
                    stays_there ? MPI_IN_PLACE : out.data(), stays_there ? 0 : in_count,
                    stays_there ? MPI_DATATYPE_NULL : in_type, root, g.comm);
            });
        }
        compare<int>("alltoall " + what, blank, [&](bool native, data& out) {
            return (native ? PMPI_Alltoall : MPI_Alltoall)(
                mine.data(), plain ? n * ints : n, plain ? MPI_INT : type, out.data(), n, type, g.comm);
        });
        compare<int>("alltoall in place " + what, mine, [&](bool native, data& out) {
            return (native ? PMPI_Alltoall : MPI_Alltoall)(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(), n,
                                                           type, g.comm);
        });
        // Of rank r every (r+1)st element, from the last rank to the first, a hole behind each; nothing of
        // rank 1.
        std::vector<count_type> counts;
        for (int r = 0; r < g.size; ++r) counts.push_back(r == 1 ? 0 : (n + r) / (r + 1));
        move_by_own_counts(g, type, ints, extent, what, counts, root, n);
        const parts_of_ranks parts(counts, true), in_order(counts, false);
        const std::vector<place_type>& places = parts.places;
        const int own = parts.of(g.rank);
        const data wide = numbered(static_cast<std::size_t>(parts.end * extent), 98);
        compare<int>("allgatherv " + what, wide, [&](bool native, data& out) {
            return (native ? PMPI_Allgatherv : MPI_Allgatherv)(mine.data(), plain ? own * ints : own,
                                                               plain ? MPI_INT : type, out.data(),
                                                               counts.data(), places.data(), type, g.comm);
        });
        compare<int>("allgatherv in place " + what, wide, [&](bool native, data& out) {
            return (native ? PMPI_Allgatherv : MPI_Allgatherv)(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(),
                                                               counts.data(), places.data(), type, g.comm);
        });
        compare<int>("allgatherv in order " + what, wide, [&](bool native, data& out) {
            return (native ? PMPI_Allgatherv : MPI_Allgatherv)(
                mine.data(), own, type, out.data(), counts.data(), in_order.places.data(), type, g.comm);
        });
    }
}

void move_shapes(const group& g) {
    move_all(g, MPI_INT, 1, 1, "ints");
    std::vector<count_type> many;
    for (int r = 0; r < g.size; ++r) many.push_back(30000 + 7000 * (r % 5));
    move_by_own_counts(g, MPI_INT, 1, 1, "long vectors of ints", many, g.size - 1, 50000);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 3, MPI_INT, &made); // two ints, two skipped between
    MPI_Type_commit(&made);
    move_all(g, made, 2, 4, "ints with holes");
    MPI_Type_free(&made);
    const int lengths[] = {1, 1, 1};
    const int backwards[] = {2, 1, 0};
    MPI_Type_indexed(3, lengths, backwards, MPI_INT, &made); // no holes, but not in the order of memory
    MPI_Type_commit(&made);
    move_all(g, made, 3, 3, "ints backwards");
    MPI_Type_free(&made);
    MPI_Type_contiguous(2, MPI_INT, &made); // as plain as ints
    MPI_Type_commit(&made);
    move_all(g, made, 2, 2, "pairs of ints");
    MPI_Type_free(&made);
}

/// Where the order of two operands shows in the result, MPI and tutti must not take turns.
void say_the_same_again(const group& g) {
    MPI_Comm fresh = MPI_COMM_NULL; // on others they have had their turns
    MPI_Comm_dup(g.comm, &fresh);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> mine =
        g.rank == 0 ? std::vector{0., nan, 1., -0.} : std::vector{-0., 2., nan, 0.};
    std::vector<double> first(mine.size()), later(mine.size());
    for (int k = 0; k < 20; ++k) {
        MPI_Allreduce(mine.data(), (k == 0 ? first : later).data(), 4, MPI_DOUBLE, MPI_MAX, fresh);
        if (k > 0)
            check(std::memcmp(first.data(), later.data(), 4 * sizeof(double)) == 0, "the largest, again");
    }
    MPI_Comm_free(&fresh);
}

/// A communicator of its own, on which the first call of a kind is tutti's: one that moves data, and is the
/// very first, may be MPI's.
MPI_Comm fresh_of(const group& g, MPI_Errhandler errors) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(g.comm, &made);
    MPI_Comm_set_errhandler(made, errors);
    MPI_Barrier(made);
    return made;
}

/// A slip is an error on all ranks that it concerns, and calls after it are counted alike everywhere.
void slip_once(const group& g) {
    MPI_Comm careful = fresh_of(g, MPI_ERRORS_RETURN);
    std::vector<int> data(5, g.rank);
    const int code = MPI_Bcast(data.data(), g.rank == 0 ? 4 : 5, MPI_INT, 0, careful);
    check(code != MPI_SUCCESS || g.rank == 0, "a bcast of two lengths"); // the root may have been through
    MPI_Comm_free(&careful);
    // What only its rank knows to be wrong is no call that others wait for.
    careful = fresh_of(g, MPI_ERRORS_RETURN);
    std::vector<count_type> counts(static_cast<std::size_t>(g.size), g.rank == 0 ? -1 : 0);
    std::vector<place_type> places(counts.size(), 0);
    check(MPI_Alltoallv(data.data(), counts.data(), places.data(), MPI_INT, data.data() + 1, counts.data(),
                        places.data(), MPI_INT, careful)
              != MPI_SUCCESS,
          "an alltoallv with a negative count");
    std::vector<int> answer(counts.size());
    check(MPI_Alltoall(data.data(), std::numeric_limits<count_type>::min(), MPI_INT, answer.data(), 1,
                       MPI_INT, careful)
              != MPI_SUCCESS,
          "an alltoall with a negative count");
    MPI_Comm_free(&careful);
    int one = 1, sum = 0;
    check(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, g.comm) == MPI_SUCCESS && sum == g.size,
          "an allreduce after an error elsewhere");
}

/// Lengths of a rank's own that are not those which the other side of its call tells: no memory behind its
/// buffers is read or written, and nobody waits for it.
void slip_in_own_lengths(const group& g) {
    const auto size = static_cast<std::size_t>(g.size);
    constexpr std::size_t length = 500;
    const bool slips = g.rank == 0;
    const count_type right = length, wrong = slips ? 1 : right;
    MPI_Datatype gaps = MPI_DATATYPE_NULL; // of one int, and room for another
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gaps);
    MPI_Type_commit(&gaps);
    // As long as a right call wants, but where this rank slips: what is read there a sanitizer sees.
    const std::vector<int> one(slips ? 1 : length, 1), all_of(slips ? 1 : length * size, 1);
    std::vector<int> all(length * size), own(slips ? 2 : 2 * length);
    std::vector<count_type> counts(size, right);
    std::vector<place_type> places(size);
    for (std::size_t r = 0; r < size; ++r) places[r] = static_cast<place_type>(r * length);
    const auto slip = [&](const std::string& what, const auto& call) {
        MPI_Comm careful = fresh_of(g, MPI_ERRORS_RETURN);
        check(call(careful) != MPI_SUCCESS || !slips, what + " of another length than its result has");
        MPI_Comm_free(&careful);
    };
    const int root = 0; // who slips
    for (const count_type n : {wrong, slips ? count_type{-1} : right}) {
        slip("allgather", [&](MPI_Comm c) {
            return MPI_Allgather(one.data(), n, MPI_INT, all.data(), right, MPI_INT, c);
        });
        slip("allgatherv", [&](MPI_Comm c) {
            return MPI_Allgatherv(one.data(), n, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT,
                                  c);
        });
        slip("gather", [&](MPI_Comm c) {
            return MPI_Gather(one.data(), n, MPI_INT, all.data(), right, MPI_INT, root, c);
        });
        slip("scatter", [&](MPI_Comm c) {
            return MPI_Scatter(all.data(), right, MPI_INT, own.data(), n, gaps, root, c);
        });
        slip("alltoall", [&](MPI_Comm c) {
            return MPI_Alltoall(all_of.data(), n, MPI_INT, all.data(), right, MPI_INT, c);
        });
    }
    MPI_Type_free(&gaps);
    slip("allgather of no type", [&](MPI_Comm c) {
        return MPI_Allgather(one.data(), right, slips ? MPI_DATATYPE_NULL : MPI_INT, all.data(), right,
                             MPI_INT, c);
    });
    int mine = 1, sum = 0;
    check(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, g.comm) == MPI_SUCCESS && sum == g.size,
          "an allreduce after lengths that do not match");
}

/// MPI forbids that what is given and what is got overlap; Open MPI does not say so, and programs do it.
void alias(const group& g) {
    const auto size = static_cast<std::size_t>(g.size);
    const auto me = static_cast<std::size_t>(g.rank);
    constexpr int n = 3;
    const int all_sum = g.size * (g.size - 1) / 2;
    const auto fresh = [&](const auto& call) {
        MPI_Comm own = fresh_of(g, MPI_ERRORS_ARE_FATAL);
        const bool well = call(own) == MPI_SUCCESS;
        MPI_Comm_free(&own);
        return well;
    };
    const auto in_one_place = [&](const std::string& what, int expected, const auto& call) {
        std::vector<int> x(n, g.rank);
        check(fresh([&](MPI_Comm c) { return call(x.data(), c); }) && x == std::vector<int>(n, expected),
              what + " in one place");
    };
    in_one_place("allreduce", all_sum,
                 [&](int* x, MPI_Comm c) { return MPI_Allreduce(x, x, n, MPI_INT, MPI_SUM, c); });
    in_one_place("scan", g.rank * (g.rank + 1) / 2,
                 [&](int* x, MPI_Comm c) { return MPI_Scan(x, x, n, MPI_INT, MPI_SUM, c); });
    in_one_place("reduce", g.rank == 0 ? all_sum : g.rank,
                 [&](int* x, MPI_Comm c) { return MPI_Reduce(x, x, n, MPI_INT, MPI_SUM, 0, c); });

    std::vector<int> expected;
    for (int r = 0; r < g.size; ++r) expected.insert(expected.end(), n, r);
    const auto in_whole = [&](const std::string& what, bool everywhere, const auto& call) {
        std::vector<int> all(n * size, -1);
        std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(n * me), n, g.rank);
        const bool well = fresh([&](MPI_Comm c) { return call(all.data() + n * me, all.data(), c); });
        check(well && (all == expected || !(everywhere || g.rank == 0)), what + " in one place");
    };
    in_whole("allgather", true, [&](int* mine, int* all, MPI_Comm c) {
        return MPI_Allgather(mine, n, MPI_INT, all, n, MPI_INT, c);
    });
    in_whole("gather", false, [&](int* mine, int* all, MPI_Comm c) {
        return MPI_Gather(mine, n, MPI_INT, all, n, MPI_INT, 0, c);
    });
    std::vector<count_type> counts(size, n);
    std::vector<place_type> places(size);
    for (std::size_t r = 0; r < size; ++r) places[r] = static_cast<place_type>(n * r);
    in_whole("allgatherv", true, [&](int* mine, int* all, MPI_Comm c) {
        return MPI_Allgatherv(mine, n, MPI_INT, all, counts.data(), places.data(), MPI_INT, c);
    });
    std::vector<int> parts = expected, part(n, -1);
    int* const to = g.rank == 0 ? parts.data() : part.data();
    check(fresh([&](MPI_Comm c) { return MPI_Scatter(parts.data(), n, MPI_INT, to, n, MPI_INT, 0, c); })
              && std::vector<int>(to, to + n) == std::vector<int>(n, g.rank),
          "scatter in one place");
    check(fresh([&](MPI_Comm c) {
              return MPI_Scatterv(parts.data(), counts.data(), places.data(), MPI_INT, to, n, MPI_INT, 0, c);
          }) && std::vector<int>(to, to + n) == std::vector<int>(n, g.rank),
          "scatterv in one place");
    in_whole("gatherv", false, [&](int* mine, int* all, MPI_Comm c) {
        return MPI_Gatherv(mine, n, MPI_INT, all, counts.data(), places.data(), MPI_INT, 0, c);
    });
    const auto exchanged = [&](const std::string& what, const auto& call) {
        std::vector<int> all(n * size, g.rank);
        check(fresh([&](MPI_Comm c) { return call(all.data(), c); }) && all == expected,
              what + " in one place");
    };
    exchanged("alltoall", [&](int* x, MPI_Comm c) { return MPI_Alltoall(x, n, MPI_INT, x, n, MPI_INT, c); });
    exchanged("alltoallv", [&](int* x, MPI_Comm c) {
        return MPI_Alltoallv(x, counts.data(), places.data(), MPI_INT, x, counts.data(), places.data(),
                             MPI_INT, c);
    });
    std::vector<int> shifted(n + 1, g.rank);
    check(fresh([&](MPI_Comm c) {
              return MPI_Allreduce(shifted.data(), shifted.data() + 1, n, MPI_INT, MPI_SUM, c);
          }) && shifted[0] == g.rank
              && std::vector<int>(shifted.begin() + 1, shifted.end()) == std::vector<int>(n, all_sum),
          "allreduce one element further");
    std::vector<int> sums(n * size, g.rank);
    check(fresh([&](MPI_Comm c) {
              return MPI_Reduce_scatter_block(sums.data(), sums.data(), n, MPI_INT, MPI_SUM, c);
          }) && std::vector<int>(sums.begin(), sums.begin() + n) == std::vector<int>(n, all_sum),
          "reduce_scatter_block in one place");
}

/// What is left to MPI, and must be as it was.
void leave_alone(const group& g) {
    check(MPI_Barrier(MPI_COMM_SELF) == MPI_SUCCESS, "barrier of one");
    int one = g.rank, sum = -1;
    check(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF) == MPI_SUCCESS && sum == g.rank,
          "allreduce of one");
    check(MPI_Allreduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, g.comm) == MPI_SUCCESS,
          "allreduce of nothing");
    check(MPI_Bcast(nullptr, 0, MPI_INT, 0, g.comm) == MPI_SUCCESS, "bcast of nothing");

    MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
    MPI_Comm_split(g.comm, g.rank % 2, g.rank, &half);
    MPI_Intercomm_create(half, 0, g.comm, 1 - g.rank % 2, 5, &both);
    int others = -1, native = -2;
    MPI_Allreduce(&one, &others, 1, MPI_INT, MPI_SUM, both);
    PMPI_Allreduce(&one, &native, 1, MPI_INT, MPI_SUM, both);
    check(others == native, "allreduce between two groups");
    MPI_Barrier(both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);

#if defined(OPEN_MPI) // Debian's MPICH is built without such checks, and crashes
    // Errors are MPI's own, and come without a message on its way.
    MPI_Comm careful = MPI_COMM_NULL;
    MPI_Comm_dup(g.comm, &careful);
    MPI_Comm_set_errhandler(careful, MPI_ERRORS_RETURN);
    check(MPI_Bcast(&one, 1, MPI_INT, g.size, careful) != MPI_SUCCESS, "a root that there is not");
    check(MPI_Allreduce(&one, &sum, -1, MPI_INT, MPI_SUM, careful) != MPI_SUCCESS, "a negative count");
    MPI_Comm_free(&careful);
#endif
}

#ifdef TUTTI_LONG_COUNTS
/// More elements than an int counts are many of nothing here; more bytes than 2^63 are refused by the rank
/// that asks for them, and do not become few.
void count_beyond_int(const group& g) {
    MPI_Datatype nothing = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    constexpr MPI_Count many = MPI_Count{1} << 33;
    const auto ranks = static_cast<std::size_t>(g.size);
    const std::vector<MPI_Count> counts(ranks, many);
    const std::vector<MPI_Aint> places(ranks, 0);
    const std::vector<int> before{1, 2, 3};
    std::vector<int> in = before, out = before;
    check(MPI_Bcast(out.data(), many, nothing, 0, g.comm) == MPI_SUCCESS && out == before,
          "bcast of nothings");
    check(MPI_Gatherv(in.data(), many, nothing, out.data(), counts.data(), places.data(), nothing, 0, g.comm)
                  == MPI_SUCCESS
              && out == before,
          "gatherv of nothings");
    check(MPI_Scatterv(in.data(), counts.data(), places.data(), nothing, out.data(), many, nothing, 0, g.comm)
                  == MPI_SUCCESS
              && out == before,
          "scatterv of nothings");
    check(MPI_Alltoallv(in.data(), counts.data(), places.data(), nothing, out.data(), counts.data(),
                        places.data(), nothing, g.comm)
                  == MPI_SUCCESS
              && out == before,
          "alltoallv of nothings");
    MPI_Type_free(&nothing);

    if (mpi_runs_some()) return; // MPI does not look at them
    MPI_Comm careful = MPI_COMM_NULL;
    MPI_Comm_dup(g.comm, &careful);
    MPI_Comm_set_errhandler(careful, MPI_ERRORS_RETURN);
    const std::vector<MPI_Count> wrap(ranks, MPI_Count{1} << 62); // times 4 bytes
    check(MPI_Alltoallv(in.data(), wrap.data(), places.data(), MPI_INT, out.data(), wrap.data(),
                        places.data(), MPI_INT, careful)
                  != MPI_SUCCESS
              && out == before,
          "an alltoallv beyond all memory");
    check(MPI_Alltoall(in.data(), MPI_Count{1} << 41, MPI_INT, out.data(), 1, MPI_INT, careful) != MPI_SUCCESS
              && out == before,
          "an alltoall beyond all memory");
    MPI_Comm_free(&careful);
}
#endif

/// MPI has to move while a rank waits in a call of ours: rank 0's message is long, and rank 1 comes to the
/// allreduce only when it has it.
void make_progress(const group& g) {
    std::vector<double> message(1 << 20, g.rank + 1.);
    MPI_Request sent = MPI_REQUEST_NULL;
    if (g.rank == 0)
        MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_DOUBLE, 1, 3, g.comm, &sent);
    if (g.rank == 1)
        MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_DOUBLE, 0, 3, g.comm,
                 MPI_STATUS_IGNORE);
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, g.comm);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    check(sum == g.size && (g.rank != 1 || message.back() == 1.), "a long message beside an allreduce");
}

/// Communicators come and go, and threads use those of their own.
void come_and_go(const group& g, bool threads) {
    for (int k = 0; k < 30; ++k) {
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_split(g.comm, (g.rank + k) % 2, -g.rank, &made);
        int rank = 0, size = 0, sum = 0, before = -1;
        MPI_Comm_rank(made, &rank);
        MPI_Comm_size(made, &size);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made);
        MPI_Exscan(&rank, &before, 1, MPI_INT, MPI_SUM, made);
        check(sum == size * (size - 1) / 2 && (rank == 0 || before == rank * (rank - 1) / 2),
              "communicator " + std::to_string(k));
        (k % 5 == 0 ? PMPI_Comm_free : MPI_Comm_free)(&made); // the former behind the layer's back
    }
    for (int calls = 0; calls < 4; ++calls) { // that move data: the first may be MPI's, the next ones tutti's
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_dup(g.comm, &made);
        for (int k = 0; k < calls; ++k) {
            int x = g.rank == k % g.size ? 40 + k : 0;
            MPI_Bcast(&x, 1, MPI_INT, k % g.size, made);
            check(x == 40 + k, "bcast " + std::to_string(k) + " of a communicator");
        }
        MPI_Comm_free(&made);
    }
    if (!threads) return;
    MPI_Comm own[2];
    MPI_Comm_dup(g.comm, &own[0]);
    MPI_Comm_dup(g.comm, &own[1]);
    bool right[2] = {true, true};
    const auto work = [&](int which) {
        for (int k = 0; k < 300; ++k) {
            int in = g.rank + which + k, sum = 0;
            MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, own[which]);
            right[which] = right[which] && sum == g.size * (which + k) + g.size * (g.size - 1) / 2;
        }
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    check(right[0] && right[1], "allreduces of two threads");
    MPI_Comm_free(&own[0]);
    MPI_Comm_free(&own[1]);
}

void everything(const group& g) {
    fold_numbers<signed char>(g, MPI_SIGNED_CHAR, "signed char");
    fold_numbers<unsigned char>(g, MPI_UNSIGNED_CHAR, "unsigned char");
    fold_numbers<short>(g, MPI_SHORT, "short");
    fold_numbers<unsigned short>(g, MPI_UNSIGNED_SHORT, "unsigned short");
    fold_numbers<int>(g, MPI_INT, "int");
    fold_numbers<unsigned>(g, MPI_UNSIGNED, "unsigned");
    fold_numbers<long>(g, MPI_LONG, "long");
    fold_numbers<unsigned long>(g, MPI_UNSIGNED_LONG, "unsigned long");
    fold_numbers<long long>(g, MPI_LONG_LONG, "long long");
    fold_numbers<unsigned long long>(g, MPI_UNSIGNED_LONG_LONG, "unsigned long long");
    fold_numbers<std::int8_t>(g, MPI_INT8_T, "int8_t");
    fold_numbers<std::int16_t>(g, MPI_INT16_T, "int16_t");
    fold_numbers<std::int32_t>(g, MPI_INT32_T, "int32_t");
    fold_numbers<std::int64_t>(g, MPI_INT64_T, "int64_t");
    fold_numbers<std::uint8_t>(g, MPI_UINT8_T, "uint8_t");
    fold_numbers<std::uint16_t>(g, MPI_UINT16_T, "uint16_t");
    fold_numbers<std::uint32_t>(g, MPI_UINT32_T, "uint32_t");
    fold_numbers<std::uint64_t>(g, MPI_UINT64_T, "uint64_t");
    fold_numbers<float>(g, MPI_FLOAT, "float");
    fold_numbers<double>(g, MPI_DOUBLE, "double");
    fold_numbers<long double>(g, MPI_LONG_DOUBLE, "long double");
    fold_numbers<std::complex<float>>(g, MPI_C_FLOAT_COMPLEX, "float complex");
    fold_numbers<std::complex<double>>(g, MPI_C_DOUBLE_COMPLEX, "double complex");
    fold_numbers<std::complex<long double>>(g, MPI_C_LONG_DOUBLE_COMPLEX, "long double complex");
    fold_numbers<float>(g, MPI_REAL, "REAL");
    fold_numbers<double>(g, MPI_DOUBLE_PRECISION, "DOUBLE PRECISION");
    fold_numbers<std::complex<float>>(g, MPI_COMPLEX, "COMPLEX");
    const std::function<std::uint8_t(int)> byte = [](int i) { return static_cast<std::uint8_t>(i * 29); };
    for (const MPI_Op op : {MPI_BAND, MPI_BOR, MPI_BXOR})
        fold_all<std::uint8_t>(g, MPI_BYTE, op, "bytes", byte);
    const std::function<std::int32_t(int)> truth = [](int i) { return i % 3 != 0; };
    for (const MPI_Op op : {MPI_LAND, MPI_LOR, MPI_LXOR})
        if (MPI_LOGICAL != MPI_DATATYPE_NULL) fold_all<std::int32_t>(g, MPI_LOGICAL, op, "LOGICAL", truth);
    const std::function<std::uint8_t(int)> boolean = [](int i) {
        return static_cast<std::uint8_t>(i % 3 != 0);
    };
    for (const MPI_Op op : {MPI_LAND, MPI_LOR, MPI_LXOR})
        fold_all<std::uint8_t>(g, MPI_C_BOOL, op, "bool", boolean);
    fold_pairs<float>(g, MPI_FLOAT_INT, "float and int");
    fold_pairs<double>(g, MPI_DOUBLE_INT, "double and int");
    fold_pairs<long>(g, MPI_LONG_INT, "long and int");
    fold_pairs<short>(g, MPI_SHORT_INT, "short and int");
    fold_pairs<int>(g, MPI_2INT, "two ints");
    fold_pairs<long double>(g, MPI_LONG_DOUBLE_INT, "long double and int");
    fold_pairs<float, float>(g, MPI_2REAL, "two REALs");
    fold_own(g);
    move_shapes(g);
}

} // namespace

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    {
        const group world(MPI_COMM_WORLD);
        everything(world);
        leave_alone(world);
        if (!bits_may_change()) say_the_same_again(world);
        if (starts_with_tutti()) {
            slip_once(world);
            slip_in_own_lengths(world);
            alias(world);
        }
#ifdef TUTTI_LONG_COUNTS
        if (starts_with_tutti()) count_beyond_int(world);
#endif
        make_progress(world);
        come_and_go(world, level == MPI_THREAD_MULTIPLE);
        MPI_Comm reversed = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, 0, -world.rank, &reversed);
        const group back(reversed);
        move_shapes(back);
        fold_own(back);
        MPI_Comm_free(&reversed);
        int all = 0;
        PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        failures = all;
        if (world.rank == 0) std::printf("%d answers compared, %d differ\n", checks, failures);
    }
    MPI_Finalize();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
