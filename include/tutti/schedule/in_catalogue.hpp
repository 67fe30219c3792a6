// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/schedule/catalogue_entry.hpp>

#if TUTTI_BODIES
#include <string>

#include <tutti/core/error.hpp>
#endif

/// The algorithms of one collective: tutti's, and those that a program adds.
namespace tutti {

namespace detail {

/// Those of one collective, which lie side by side.
constexpr std::span<const catalogue_entry> part_of(std::span<const catalogue_entry> all,
                                                   collective what) noexcept {
    std::size_t first = 0;
    while (first < all.size() && all[first].what != what) ++first;
    std::size_t end = first;
    while (end < all.size() && all[end].what == what) ++end;
    return {all.data() + first, end - first};
}

/// What programs have added, in that order.
class added_algorithms {
public:
    /// Throws argument_error if an algorithm of `ours`, or one that was added, has the name, or if it is
    /// late.
    void add(const catalogue_entry& one, std::span<const catalogue_entry> ours);

    /// `ours`, collective by collective, and behind those of each what was added. Nobody may add any more.
    std::vector<catalogue_entry> behind(std::span<const catalogue_entry> ours);

private:
    std::vector<catalogue_entry> all_;
    std::atomic<bool> is_listed_ = false;
};

/// Those of this program.
inline added_algorithms& added() {
    static added_algorithms all;
    return all;
}

#if defined(TUTTI_COMPILED)
/// Without those that were added.
std::span<const catalogue_entry> own_catalogue() noexcept;
#endif

} // namespace detail

#if defined(TUTTI_COMPILED)
std::span<const catalogue_entry> catalogue();
#endif

/// The algorithms of one collective. Only what schedule/<collective>/catalogue.hpp includes is compiled for
/// it.
template <collective C>
std::span<const catalogue_entry> catalogue_of() {
#if defined(TUTTI_COMPILED)
    return detail::part_of(catalogue(), C);
#else
    static const std::vector<catalogue_entry> all = detail::added().behind(detail::catalogue_entries_of<C>);
    return all;
#endif
}

/// Puts an algorithm of yours into the catalogue, for choosers, tables, programs and `named`, as a line of
/// schedule/<collective>/catalogue.hpp does with one of tutti's. `name` is what `named` and tables call it.
/// The others are texts for people, which `tutti list` prints and nobody checks, in the notation of
/// docs/algorithms.md: `rounds` ("2(p-1)+S-1"), `volume` ("sent 2, folded 1": vectors of the busiest rank)
/// and `source`, who has published it where ("Rabenseifner and Adamidis 2004, 3.7"). Empty: not said.
///
///     const tutti::in_catalogue<tutti::collective::allreduce, mine::line> joined{"line", "2(p-1)"};
///
/// in a .cpp file that is linked as such (from an archive a linker takes only what somebody needs). The texts
/// have to live as long as the program. Throws argument_error if the collective has an algorithm of that
/// name, and if somebody has looked into the catalogue already: do it before main().
template <collective C, class Algorithm>
class in_catalogue {
    static_assert(C != collective::multicast, "a strategy of multicast is an allgather");

public:
    explicit in_catalogue(std::string_view name, std::string_view rounds = "", std::string_view volume = "",
                          std::string_view source = "") {
#if defined(TUTTI_COMPILED)
        const std::span<const catalogue_entry> ours = detail::part_of(detail::own_catalogue(), C);
#else
        const std::span<const catalogue_entry> ours = detail::catalogue_entries_of<C>;
#endif
        detail::added().add(detail::entry<C, Algorithm>(name, rounds, volume, source), ours);
    }
};

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY void added_algorithms::add(const catalogue_entry& one, std::span<const catalogue_entry> ours) {
    const auto refuse = [&](const char* allowed) {
        throw argument_error("algorithm", std::string(name_of(one.what)).append(" ").append(one.name),
                             allowed);
    };
    if (is_listed_) refuse("one that is added before anybody looks into the catalogue");
    bool is_taken = find_algorithm(ours, one.name) != nullptr;
    for (const catalogue_entry& other : all_)
        is_taken = is_taken || (other.what == one.what && other.name == one.name);
    if (is_taken) refuse("a name that no other of this collective has");
    all_.push_back(one);
}

TUTTI_BODY std::vector<catalogue_entry> added_algorithms::behind(std::span<const catalogue_entry> ours) {
    is_listed_ = true;
    std::vector<catalogue_entry> all;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        all.push_back(ours[i]);
        if (i + 1 < ours.size() && ours[i + 1].what == ours[i].what) continue;
        for (const catalogue_entry& one : all_)
            if (one.what == ours[i].what) all.push_back(one);
    }
    return all;
}
} // namespace detail
#endif

} // namespace tutti
