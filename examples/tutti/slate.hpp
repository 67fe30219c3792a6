// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>

#include <sys/mman.h>

#include <tutti/transport/shared_text.hpp>

namespace program {

/// What ranks write down for whoever has started them, be they threads or processes that are forked after
/// this is made: numbers, each with a place of its own, and what is wrong, of which the first counts.
class slate {
public:
    explicit slate(std::size_t numbers)
        : bytes_(sizeof(header) + numbers * sizeof(double)), numbers_(numbers) {
        void* const mapped =
            ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) throw std::bad_alloc();
        head_ = new (mapped) header;
    }
    slate(const slate&) = delete;
    slate& operator=(const slate&) = delete;
    ~slate() { ::munmap(head_, bytes_); }

    std::span<double> numbers() const { return {reinterpret_cast<double*>(head_ + 1), numbers_}; }

    void arrive() const { ++head_->arrivals; }
    int arrivals() const { return head_->arrivals; }

    void leave() const { ++head_->departures; }
    int departures() const { return head_->departures; }

    void complain(const std::string& what, bool refused) const {
        if (refused) ++head_->refusals;
        if (head_->complaints++ == 0) head_->what.write(what);
    }
    /// The rest when all ranks have ended: the complaint, "" if there is none, and whether the call has
    /// refused its arguments, and nobody complains of anything else.
    std::string complaint() const { return head_->what.read(); }
    bool refused() const { return head_->refusals > 0 && head_->refusals == head_->complaints; }

private:
    struct alignas(64) header {
        std::atomic<int> arrivals{0};
        std::atomic<int> departures{0};
        std::atomic<int> complaints{0};
        std::atomic<int> refusals{0};
        tutti::detail::shared_text<2000> what{};
    };

    std::size_t bytes_;
    std::size_t numbers_;
    header* head_;
};

} // namespace program
