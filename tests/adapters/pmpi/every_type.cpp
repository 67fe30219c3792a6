// SPDX-License-Identifier: BSL-1.0
//
// An MPI program that moves elements of every predefined type of MPI, and folds them by every operation that
// the standard has for them, with the PMPI layer before it; each answer is compared, bit by bit, with that of
// MPI's own call. What the standard has not, or leaves to an MPI to have, must be refused, or answered, as
// MPI itself does. Exits 1 if an answer differs.
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/mpi/calls.hpp>

namespace {

int failures = 0;
int checks = 0;
int rank = 0;
int ranks = 0;

void check(bool is_right, const std::string& what) {
    ++checks;
    if (!is_right && ++failures <= 20) std::fprintf(stderr, "rank %d: %s differs\n", rank, what.c_str());
}

// ---- Types ----

/// Writes an element of so many bytes.
using writer = void (*)(std::byte* at, std::size_t bytes, int value);

template <class T>
void put(std::byte* at, const T& what) {
    std::memcpy(at, &what, sizeof what);
}

/// From -3 to 4, or for those without a sign from 0 to 7.
template <int Least>
void put_number(std::byte* at, std::size_t bytes, int value) {
    const int v = value % 8 + Least;
    switch (bytes) {
    case 1: return put(at, static_cast<std::int8_t>(v));
    case 2: return put(at, static_cast<std::int16_t>(v));
    case 4: return put(at, static_cast<std::int32_t>(v));
    case 8: return put(at, static_cast<std::int64_t>(v));
    default: std::memset(at, v < 0 ? 0xff : v, bytes); // all of them -1, or 1, 257, ...
    }
}
constexpr writer put_integer = put_number<-3>;
constexpr writer put_unsigned = put_number<0>;

void put_long_double(std::byte* at, long double value) {
    constexpr bool is_padded = std::numeric_limits<long double>::digits == 64;
    std::memcpy(at, &value, is_padded ? 10 : sizeof value);
}
/// 1 or 2: of 16 bytes, as the standard for numbers of four words has them.
void put_real(std::byte* at, std::size_t bytes, int value) {
    const int v = 1 + value % 2;
    switch (bytes) {
    case 4: return put(at, static_cast<float>(v));
    case 8: return put(at, static_cast<double>(v));
    case 16: return put(at + 14, static_cast<std::uint16_t>(v == 1 ? 0x3fff : 0x4000));
    default: return;
    }
}
void put_long_real(std::byte* at, std::size_t, int value) {
    put_long_double(at, static_cast<long double>(value % 8 - 3));
}
/// So near to the real axis that products of a few ranks have no part that is 0: its sign could differ.
void put_complex(std::byte* at, std::size_t bytes, int value) {
    const int v = 4 + value % 2;
    switch (bytes) {
    case 8: return put(at, std::complex<float>(static_cast<float>(v), 1));
    case 16: return put(at, std::complex<double>(v, 1));
    default: put_real(at, bytes / 2, value), put_real(at + bytes / 2, bytes / 2, value + 1);
    }
}
void put_long_complex(std::byte* at, std::size_t, int value) {
    put_long_double(at, static_cast<long double>(4 + value % 2));
    put_long_double(at + sizeof(long double), 1);
}
void put_truth(std::byte* at, std::size_t bytes, int value) {
    std::memset(at, 0, bytes);
    at[0] = static_cast<std::byte>(value % 3 != 0);
}
void put_bytes(std::byte* at, std::size_t bytes, int value) { std::memset(at, value * 29 % 256, bytes); }

/// A value, of which there are several alike, and who has it.
template <class Value, class Index = int>
void put_pair(std::byte* at, std::size_t, int value) {
    struct pair {
        Value value;
        Index index;
    };
    if constexpr (std::is_same_v<Value, long double>)
        put_long_double(at, static_cast<long double>(value * 7 % 5));
    else
        put(at, static_cast<Value>(value * 7 % 5));
    put(at + offsetof(pair, index), static_cast<Index>(value));
}

enum operations : unsigned {
    none = 0,
    sums = 1,
    extremes = 2,
    logic = 4,
    bits = 8,
    places = 16,
};

struct kind {
    const char* name;
    MPI_Datatype type;
    unsigned has; ///< operations, by the standard
    writer put;
    bool has_long_doubles = false; ///< in which not all bytes say something
};

std::vector<kind> all_kinds() {
    constexpr unsigned c_integer = sums | extremes | logic | bits, other_integer = sums | extremes | bits,
                       real = sums | extremes;
#define TUTTI_KIND(name, ...) kind{#name, MPI_##name, __VA_ARGS__}
    std::vector<kind> all{
        TUTTI_KIND(SIGNED_CHAR, c_integer, put_integer),
        TUTTI_KIND(UNSIGNED_CHAR, c_integer, put_unsigned),
        TUTTI_KIND(SHORT, c_integer, put_integer),
        TUTTI_KIND(UNSIGNED_SHORT, c_integer, put_unsigned),
        TUTTI_KIND(INT, c_integer, put_integer),
        TUTTI_KIND(UNSIGNED, c_integer, put_unsigned),
        TUTTI_KIND(LONG, c_integer, put_integer),
        TUTTI_KIND(UNSIGNED_LONG, c_integer, put_unsigned),
        TUTTI_KIND(LONG_LONG, c_integer, put_integer),
        TUTTI_KIND(LONG_LONG_INT, c_integer, put_integer),
        TUTTI_KIND(UNSIGNED_LONG_LONG, c_integer, put_unsigned),
        TUTTI_KIND(INT8_T, c_integer, put_integer),
        TUTTI_KIND(INT16_T, c_integer, put_integer),
        TUTTI_KIND(INT32_T, c_integer, put_integer),
        TUTTI_KIND(INT64_T, c_integer, put_integer),
        TUTTI_KIND(UINT8_T, c_integer, put_unsigned),
        TUTTI_KIND(UINT16_T, c_integer, put_unsigned),
        TUTTI_KIND(UINT32_T, c_integer, put_unsigned),
        TUTTI_KIND(UINT64_T, c_integer, put_unsigned),
        TUTTI_KIND(AINT, other_integer, put_integer),
        // Open MPI 4.1 takes an offset for unsigned.
        TUTTI_KIND(OFFSET, other_integer, put_unsigned),
        TUTTI_KIND(COUNT, other_integer, put_integer),
        TUTTI_KIND(INTEGER, other_integer, put_integer),
        TUTTI_KIND(INTEGER1, other_integer, put_integer),
        TUTTI_KIND(INTEGER2, other_integer, put_integer),
        TUTTI_KIND(INTEGER4, other_integer, put_integer),
        TUTTI_KIND(INTEGER8, other_integer, put_integer),
        TUTTI_KIND(FLOAT, real, put_real),
        TUTTI_KIND(DOUBLE, real, put_real),
        TUTTI_KIND(LONG_DOUBLE, real, put_long_real, true),
        TUTTI_KIND(REAL, real, put_real),
        TUTTI_KIND(DOUBLE_PRECISION, real, put_real),
        TUTTI_KIND(REAL4, real, put_real),
        TUTTI_KIND(REAL8, real, put_real),
        TUTTI_KIND(C_COMPLEX, sums, put_complex),
        TUTTI_KIND(C_FLOAT_COMPLEX, sums, put_complex),
        TUTTI_KIND(C_DOUBLE_COMPLEX, sums, put_complex),
        TUTTI_KIND(C_LONG_DOUBLE_COMPLEX, sums, put_long_complex, true),
        TUTTI_KIND(CXX_FLOAT_COMPLEX, sums, put_complex),
        TUTTI_KIND(CXX_DOUBLE_COMPLEX, sums, put_complex),
        TUTTI_KIND(CXX_LONG_DOUBLE_COMPLEX, sums, put_long_complex, true),
        TUTTI_KIND(COMPLEX, sums, put_complex),
        TUTTI_KIND(DOUBLE_COMPLEX, sums, put_complex),
        TUTTI_KIND(COMPLEX8, sums, put_complex),
        TUTTI_KIND(COMPLEX16, sums, put_complex),
        TUTTI_KIND(LOGICAL, logic, put_truth),
        TUTTI_KIND(C_BOOL, logic, put_truth),
        TUTTI_KIND(CXX_BOOL, logic, put_truth),
        TUTTI_KIND(BYTE, bits, put_bytes),
        TUTTI_KIND(CHAR, none, put_bytes),
        TUTTI_KIND(WCHAR, none, put_bytes),
        TUTTI_KIND(CHARACTER, none, put_bytes),
        TUTTI_KIND(PACKED, none, put_bytes),
        TUTTI_KIND(FLOAT_INT, places, put_pair<float>),
        TUTTI_KIND(DOUBLE_INT, places, put_pair<double>),
        TUTTI_KIND(LONG_INT, places, put_pair<long>),
        TUTTI_KIND(2INT, places, put_pair<int>),
        TUTTI_KIND(SHORT_INT, places, put_pair<short>),
        TUTTI_KIND(LONG_DOUBLE_INT, places, put_pair<long double>, true),
        TUTTI_KIND(2REAL, places, (put_pair<float, float>)),
        TUTTI_KIND(2DOUBLE_PRECISION, places, (put_pair<double, double>)),
        TUTTI_KIND(2INTEGER, places, put_pair<int>),
    };
    // Of one MPI or the other.
#ifdef MPI_INTEGER16
    all.push_back(TUTTI_KIND(INTEGER16, other_integer, put_integer));
#endif
#ifdef MPI_REAL16
    all.push_back(TUTTI_KIND(REAL16, real, put_real));
#endif
#ifdef MPI_COMPLEX32
    all.push_back(TUTTI_KIND(COMPLEX32, none, put_complex));
#endif
#ifdef MPI_REAL2
    all.push_back(TUTTI_KIND(REAL2, none, put_bytes));
#endif
#ifdef MPI_COMPLEX4
    all.push_back(TUTTI_KIND(COMPLEX4, none, put_bytes));
#endif
#ifdef MPI_LOGICAL1
    all.push_back(TUTTI_KIND(LOGICAL1, none, put_truth));
#endif
#ifdef MPI_LOGICAL2
    all.push_back(TUTTI_KIND(LOGICAL2, none, put_truth));
#endif
#ifdef MPI_LOGICAL4
    all.push_back(TUTTI_KIND(LOGICAL4, none, put_truth));
#endif
#ifdef MPI_LOGICAL8
    all.push_back(TUTTI_KIND(LOGICAL8, none, put_truth));
#endif
#undef TUTTI_KIND
    // Those that Fortran asks for by what they are to hold.
    MPI_Datatype made = MPI_DATATYPE_NULL;
    if (PMPI_Type_create_f90_integer(9, &made) == MPI_SUCCESS)
        all.push_back({"selected_int_kind(9)", made, other_integer, put_integer});
    if (PMPI_Type_create_f90_real(15, 300, &made) == MPI_SUCCESS)
        all.push_back({"selected_real_kind(15, 300)", made, real, put_real});
    if (PMPI_Type_create_f90_complex(6, 30, &made) == MPI_SUCCESS)
        all.push_back({"complex of selected_real_kind(6, 30)", made, sums, put_complex});
    return all;
}

struct operation {
    const char* name;
    MPI_Op op;
    unsigned is;
};
const std::array<operation, 12>& all_operations() {
    static const std::array<operation, 12> all{{{"sum", MPI_SUM, sums},
                                                {"product", MPI_PROD, sums},
                                                {"max", MPI_MAX, extremes},
                                                {"min", MPI_MIN, extremes},
                                                {"land", MPI_LAND, logic},
                                                {"lor", MPI_LOR, logic},
                                                {"lxor", MPI_LXOR, logic},
                                                {"band", MPI_BAND, bits},
                                                {"bor", MPI_BOR, bits},
                                                {"bxor", MPI_BXOR, bits},
                                                {"maxloc", MPI_MAXLOC, places},
                                                {"minloc", MPI_MINLOC, places}}};
    return all;
}

// ---- Comparing ----

using memory = std::vector<std::byte>;

/// A type as this MPI has it, with a communicator whose errors are returned.
class subject {
public:
    subject(const kind& is, MPI_Comm comm) : is_(is), comm_(comm) {
        MPI_Aint lower = 0;
        if (is.type == MPI_DATATYPE_NULL || PMPI_Type_size(is.type, &bytes_) != MPI_SUCCESS || bytes_ <= 0
            || PMPI_Type_get_extent(is.type, &lower, &extent_) != MPI_SUCCESS)
            bytes_ = 0;
    }
    bool is_there() const { return bytes_ > 0; }

    void move() const {
        const MPI_Datatype t = is_.type;
        const int root = ranks - 1;
        const memory mine = elements(each, rank), all = elements(each * ranks, rank), blank = room(all);
        const bool is_root = rank == root;
        compare("bcast", mine, [&](bool native, void* out) {
            return (native ? PMPI_Bcast : MPI_Bcast)(out, each, t, root, comm_);
        });
        compare("allgather", blank, [&](bool native, void* out) {
            return (native ? PMPI_Allgather : MPI_Allgather)(mine.data(), each, t, out, each, t, comm_);
        });
        compare("alltoall", blank, [&](bool native, void* out) {
            return (native ? PMPI_Alltoall : MPI_Alltoall)(all.data(), each, t, out, each, t, comm_);
        });
        compare("gather", blank, [&](bool native, void* out) {
            return (native ? PMPI_Gather : MPI_Gather)(mine.data(), each, t, out, each, t, root, comm_);
        });
        compare("scatter", blank, [&](bool native, void* out) {
            return (native ? PMPI_Scatter : MPI_Scatter)(is_root ? all.data() : nullptr, each, t, out, each,
                                                         t, root, comm_);
        });
    }

    void fold(const operation& by) const {
        const MPI_Datatype t = is_.type;
        const int n = each * ranks;
        const memory in = elements(n, rank), blank = room(in);
        const std::string with = std::string(" by ") + by.name;
        compare("allreduce" + with, blank, [&](bool native, void* out) {
            return (native ? PMPI_Allreduce : MPI_Allreduce)(in.data(), out, n, t, by.op, comm_);
        });
        compare("allreduce in place" + with, in, [&](bool native, void* out) {
            return (native ? PMPI_Allreduce : MPI_Allreduce)(MPI_IN_PLACE, out, n, t, by.op, comm_);
        });
        compare("reduce" + with, blank, [&](bool native, void* out) {
            return (native ? PMPI_Reduce : MPI_Reduce)(in.data(), out, n, t, by.op, ranks - 1, comm_);
        });
        compare("scan" + with, blank, [&](bool native, void* out) {
            return (native ? PMPI_Scan : MPI_Scan)(in.data(), out, n, t, by.op, comm_);
        });
        compare("exscan" + with, blank, [&](bool native, void* out) {
            const int code = (native ? PMPI_Exscan : MPI_Exscan)(in.data(), out, n, t, by.op, comm_);
            if (rank == 0) std::memcpy(out, blank.data(), blank.size()); // is undefined there
            return code;
        });
        const std::vector<int> parts(static_cast<std::size_t>(ranks), each);
        compare("reduce_scatter" + with, blank, [&](bool native, void* out) {
            return (native ? PMPI_Reduce_scatter : MPI_Reduce_scatter)(in.data(), out, parts.data(), t, by.op,
                                                                       comm_);
        });
        compare("reduce_scatter_block" + with, blank, [&](bool native, void* out) {
            return (native ? PMPI_Reduce_scatter_block : MPI_Reduce_scatter_block)(in.data(), out, each, t,
                                                                                   by.op, comm_);
        });
    }

    /// By an operation that the standard has not for such elements.
    void fold_wrongly(const operation& by) const {
        const memory in = elements(each, rank);
        memory theirs = room(in), ours = theirs;
        const int code = PMPI_Allreduce(in.data(), theirs.data(), each, is_.type, by.op, comm_);
        const bool is_alike =
            (MPI_Allreduce(in.data(), ours.data(), each, is_.type, by.op, comm_) == MPI_SUCCESS)
            == (code == MPI_SUCCESS);
        check(is_alike, std::string(is_.name) + ": whether it is refused to fold by " + by.name);
        if (code == MPI_SUCCESS)
            check(data_of(theirs) == data_of(ours), std::string(is_.name) + ": " + by.name);
    }

private:
    static constexpr int each = 5;

    std::size_t count_of(const memory& there) const {
        return there.size() / static_cast<std::size_t>(extent_);
    }
    memory elements(int count, int seed) const {
        memory made(static_cast<std::size_t>(count) * static_cast<std::size_t>(extent_));
        for (int i = 0; i < count; ++i)
            is_.put(made.data() + static_cast<std::ptrdiff_t>(i) * extent_, static_cast<std::size_t>(bytes_),
                    7 * seed + i + i / 8);
        return made;
    }
    static memory room(const memory& of) { return memory(of.size()); }

    /// What is data in it, of all that says something.
    memory data_of(const memory& there) const {
        const auto bytes = static_cast<std::size_t>(bytes_);
        memory packed(count_of(there) * bytes);
        int at = 0;
        PMPI_Pack(there.data(), static_cast<int>(count_of(there)), is_.type, packed.data(),
                  static_cast<int>(packed.size()), &at, comm_);
        if (is_.has_long_doubles && std::numeric_limits<long double>::digits == 64)
            for (std::size_t element = 0; element < packed.size(); element += bytes)
                for (std::size_t k = 0; k + sizeof(long double) <= bytes; k += sizeof(long double))
                    std::memset(packed.data() + element + k + 10, 0, sizeof(long double) - 10);
        return packed;
    }

    template <class Call>
    void compare(const std::string& call, const memory& before, const Call& run) const {
        memory theirs = before, ours = before;
        const std::string what = std::string(is_.name) + ": " + call;
        check(run(true, theirs.data()) == MPI_SUCCESS, what + " (MPI's code)");
        check(run(false, ours.data()) == MPI_SUCCESS, what + " (its code)");
        check(data_of(theirs) == data_of(ours), what);
    }

    const kind& is_;
    MPI_Comm comm_;
    int bytes_ = 0;
    MPI_Aint extent_ = 0;
};

/// Where MPIs are wrong: to Open MPI 4.1 and MPICH 4.0 long numbers without a sign are negative; the former
/// has short sums saturate, too, and negative offsets are large to it.
void fold_where_mpi_errs() {
    const bool is_first = rank == 0;
    const auto fold = [](auto mine, MPI_Datatype type, MPI_Op op) {
        std::vector<decltype(mine)> in(40, mine), out(40);
        MPI_Allreduce(in.data(), out.data(), 40, type, op, MPI_COMM_WORLD);
        return out.back();
    };
    for (int turn = 0; turn < 20; ++turn) { // nor may MPI have its turns then
        check(fold(static_cast<unsigned short>(65535), MPI_UNSIGNED_SHORT, MPI_SUM) == 65536 - ranks,
              "a sum beyond UNSIGNED_SHORT");
        check(fold(is_first ? ~0UL : 1UL, MPI_UNSIGNED_LONG, MPI_MAX) == ~0UL, "the largest UNSIGNED_LONG");
        check(fold(is_first ? MPI_Offset{-1} : MPI_Offset{1}, MPI_OFFSET, MPI_MIN) == -1, "the least OFFSET");
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int types = 0;
    for (const kind& is : all_kinds()) {
        const subject one(is, MPI_COMM_WORLD);
        if (!one.is_there()) continue;
        ++types;
        one.move();
        for (const operation& by : all_operations()) {
            if ((is.has & by.is) != 0) one.fold(by);
#if defined(OPEN_MPI) // MPICH 4.0 ends the program
            if ((is.has & by.is) == 0) one.fold_wrongly(by);
#endif
        }
    }
    fold_where_mpi_errs();
    int all = 0;
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d types, %d answers compared, %d differ\n", types, checks, all);
    MPI_Finalize();
    return all == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
