// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/simulate/fifo_table.hpp>

namespace tutti::detail {

/// Messages that came before their receives (the queue of unexpected messages). Most hosts have none, so that
/// is found out first: a host's count is nearer than its place in the table.
class early_messages {
public:
    explicit early_messages(rank_type hosts) : hosts_(static_cast<std::size_t>(hosts)) {}

    void add(rank_type host, rank_type from, std::int64_t load) {
        if (counts_.empty()) counts_.resize(hosts_); // often never needed
        ++counts_[static_cast<std::size_t>(host)];
        table_.push(host, from, load);
    }
    /// The oldest of that sender; false if there is none.
    bool take(rank_type host, rank_type from, std::int64_t& load) {
        if (table_.empty() || counts_[static_cast<std::size_t>(host)] == 0) return false;
        if (!table_.pop(host, from, load)) return false;
        --counts_[static_cast<std::size_t>(host)];
        return true;
    }
    /// Calls f(host, from) for all that are left.
    template <class F>
    void for_each_pair(F&& f) const {
        table_.for_each_pair(f);
    }

private:
    std::size_t hosts_;
    std::vector<std::uint32_t> counts_{};
    fifo_table<std::int64_t> table_{};
};

} // namespace tutti::detail
