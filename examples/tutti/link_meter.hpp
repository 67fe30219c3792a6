// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tutti/render/message_way.hpp>
#include <tutti/topology/congestion.hpp>
#include <tutti/topology/link_loads.hpp>
#include <tutti/topology/placement.hpp>

#include "network_choice.hpp"
#include "traffic.hpp"

namespace program {

/// What a round does to the network.
struct measured {
    tutti::round_congestion figures;
    std::optional<tutti::link_index> links_loaded{}; ///< that carry anything, if routes are fixed
    std::string possible{}; ///< of adaptive routing: "yes" if some choice of ports avoids all contention
    std::string remark{};   ///< of adaptive routing: where messages may meet, why it is not possible
};

/// A message on a link that it shares.
struct sharing_message {
    tutti::message_way way; ///< the whole
    std::int64_t bytes;
};

/// The links after a round.
struct link_report {
    std::vector<std::int64_t> loads;                        ///< of each link; empty if routes are not fixed
    std::map<std::int64_t, tutti::link_index> distribution; ///< load -> links that have it
    std::vector<tutti::loaded_link> worst;
    /// Of each of these that carries more than one message: the messages. The others come behind them in
    /// `worst`.
    std::vector<std::vector<sharing_message>> sharing;
};

/// Counts messages on links, one round at a time.
class link_meter {
public:
    link_meter() = default;
    link_meter(const link_meter&) = delete;
    link_meter& operator=(const link_meter&) = delete;
    virtual ~link_meter() = default;

    virtual measured measure(const round_traffic& round) = 0;
    /// Of the round measured last, with the names of the `worst` links that carry most. Under adaptive
    /// routing, of a choice of ports that avoids contention, if there is one.
    virtual link_report links(std::size_t worst) const = 0;
};

/// `bytes`: whether those of the messages count, too.
std::unique_ptr<link_meter> make_meter(const network_choice& on, const tutti::placement& at, bool bytes);

} // namespace program
