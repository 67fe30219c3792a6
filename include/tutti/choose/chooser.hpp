// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/schedule/parameters.hpp>

/// Which algorithm a call takes unless it names one.
namespace tutti {

/// What a choice may depend on: only what every rank knows and has equal, so that all choose alike.
struct request_facts {
    place at;                 ///< rank, size and root
    std::int64_t bytes = 0;   ///< of the whole vector
    bool commutative = true;  ///< of the operation, where there is one
    bool equal_blocks = true; ///< every rank's block has the same length
};

/// Makes the schedules of an algorithm that takes more than numbers: the nodes that ranks are on.
class schedule_maker {
public:
    virtual ~schedule_maker() = default;
    /// The schedule of one rank of a communicator.
    virtual any_generator make(place at) const = 0;
};

/// An algorithm with the options it really uses, and what makes its schedule.
struct choice {
    std::string_view algorithm; ///< its name in the catalogue, if it is in it
    /// Makes the schedule; null if `maker` does.
    any_generator (*make)(place, const parameters&) = nullptr;
    parameters with{};                     ///< the options it takes
    const schedule_maker* maker = nullptr; ///< instead of `make`, if there is one; the chooser's

    /// The schedule of the rank at `at`.
    any_generator schedule(place at) const { return maker != nullptr ? maker->make(at) : make(at, with); }

    /// The same algorithm, with the same options.
    friend bool operator==(const choice& a, const choice& b) {
        return a.algorithm == b.algorithm && a.with == b.with && a.maker == b.maker;
    }
};

/// "fnomial radix=4 segments=1"
inline std::string name_of(const choice& c) { return name_with_options(c.algorithm, c.with); }

/// Chooses algorithms for the collectives of a communicator: see communicator::choose_by. Ready-made ones are
/// in tune/choosers.hpp; a communicator that nobody tells of one looks into the tables of choose/.
///
/// Choosing is a pure function of collective, size, root, bytes, commutativity and of what the chooser is
/// made from, so all ranks choose alike without talking. Several threads may use one at the same time: ranks
/// that are threads of a process share one.
class chooser {
public:
    chooser() = default;
    chooser(const chooser&) = delete;
    chooser& operator=(const chooser&) = delete;
    virtual ~chooser() = default;

    /// The choice for a request, which covers it for every root. It lives as long as the chooser. Throws
    /// argument_error if no algorithm covers the request.
    virtual const choice& choose(collective what, const request_facts& facts) const = 0;

    /// Says what is chosen, and why.
    virtual std::string explain(collective what, const request_facts& facts) const = 0;

    /// Whether requests that differ in nothing but bytes of the same rounded_length(), or in roots none of
    /// which is 0, get the same choice. Then communicators remember it.
    virtual bool chooses_by_kind() const noexcept { return true; }

    /// What the very next call is to try, for choosers that learn from how long calls take: tried() follows
    /// when it is over. Null: nothing, choose() knows. All ranks ask before the same call, so it may
    /// communicate; a chooser that learns belongs to one communicator.
    virtual const choice* try_out(collective, const request_facts&) const { return nullptr; }
    /// The call that try_out() was asked for is over.
    virtual void tried() const noexcept {}
};

} // namespace tutti
