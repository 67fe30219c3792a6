// SPDX-License-Identifier: BSL-1.0
#include "adapters/pmpi/data_type.hpp"

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// A type of the user's, committed.
class own_type {
public:
    explicit own_type(MPI_Datatype made) : handle_(made) { MPI_Type_commit(&handle_); }
    own_type(const own_type&) = delete;
    own_type& operator=(const own_type&) = delete;
    ~own_type() { MPI_Type_free(&handle_); }

    MPI_Datatype handle() const { return handle_; }
    bool is_whole() const { return pmpi::data_type::of(handle_).whole; }

private:
    MPI_Datatype handle_;
};

own_type contiguous(int count, MPI_Datatype of) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(count, of, &made);
    return own_type(made);
}
own_type copied(const own_type& of) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_dup(of.handle(), &made);
    return own_type(made);
}
own_type resized(const own_type& of, MPI_Aint first, MPI_Aint extent) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(of.handle(), first, extent, &made);
    return own_type(made);
}
/// Two doubles and two ints, there.
own_type structure(MPI_Aint doubles, MPI_Aint ints, int how_many_ints = 2) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int lengths[] = {2, how_many_ints};
    const MPI_Aint places[] = {doubles, ints};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(2, lengths, places, types, &made);
    return own_type(made);
}

} // namespace

TEST_CASE("types without gaps, in the order of memory, are read where they lie", "[pmpi]") {
    const own_type number = contiguous(2, MPI_DOUBLE); // a complex number
    CHECK(number.is_whole());
    CHECK(contiguous(3, number.handle()).is_whole());
    CHECK(copied(number).is_whole());
    CHECK(resized(number, 0, 16).is_whole());
    CHECK(structure(0, 16).is_whole());
    CHECK(resized(structure(0, 16, 1), 0, 20).is_whole()); // 24 bytes from one to the next before
    CHECK(structure(0, 4711, 0).is_whole());               // nothing is there
}

TEST_CASE("types with gaps, or in another order, are packed", "[pmpi]") {
    const own_type backwards = structure(8, 0), padded = structure(0, 16, 1),
                   number = contiguous(2, MPI_DOUBLE);
    CHECK_FALSE(backwards.is_whole());
    CHECK_FALSE(copied(backwards).is_whole());
    CHECK_FALSE(contiguous(2, backwards.handle()).is_whole());
    CHECK_FALSE(resized(backwards, 0, 24).is_whole());
    CHECK_FALSE(structure(0, 24).is_whole()); // a gap before the ints
    CHECK_FALSE(padded.is_whole());
    CHECK_FALSE(contiguous(2, padded.handle()).is_whole());
    CHECK_FALSE(resized(number, -8, 16).is_whole());
    CHECK_FALSE(resized(number, 0, 8).is_whole()); // elements overlap
    CHECK_FALSE(contiguous(2, MPI_DOUBLE_INT).is_whole());
    CHECK(pmpi::data_type::of(MPI_DOUBLE).whole);
    CHECK_FALSE(pmpi::data_type::of(MPI_DOUBLE_INT).whole);
}
