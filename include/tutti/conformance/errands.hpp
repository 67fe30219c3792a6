// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include <tutti/conformance/participant.hpp>

/// Checks of a helping_transport: who runs the steps of a rank, and when. Whoever runs another's errand
/// shares its memory, so these ranks tell each other by it what they cannot tell by messages: that one has
/// left, and may not use its transport.
namespace tutti::conformance {

namespace detail {

/// An errand of a rank, from when it is made until it is removed or destroyed.
class left_behind final : public errand {
public:
    /// steps() says whether they are over.
    left_behind(participant& me, std::function<bool()> steps) : wires_(me.wires), steps_(std::move(steps)) {
        wires_.add(*this);
    }
    left_behind(const left_behind&) = delete;
    left_behind& operator=(const left_behind&) = delete;
    ~left_behind() {
        try {
            wires_.come_back();
            remove();
        } catch (...) { // the check has failed already, and says why
        }
    }

    void remove() {
        if (std::exchange(added_, false)) wires_.remove(*this);
    }

    bool run() noexcept override {
        try {
            over_ = steps_();
        } catch (...) {
            thrown_ = std::current_exception();
            over_ = true;
        }
        return over_;
    }
    bool over() const noexcept override { return over_; }
    /// What the steps have thrown, for the rank that is back.
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    any_transport& wires_;
    std::function<bool()> steps_;
    bool added_ = true;
    std::atomic<bool> over_{false};
    std::exception_ptr thrown_{};
};

/// Waits for the other rank, by calls that tell if it has failed.
inline void until_turn(participant& me, const std::atomic<int>& turn, int awaited) {
    me.until([&] { return turn == awaited; }, "turn " + std::to_string(awaited) + " of the other rank");
}

/// Rank 1 asks rank 0, which is away when the question comes, and is answered before rank 0 comes back.
inline void ask_who_is_away(const ranks& on, left_to whom) {
    const bytes question = pattern(on.with.at_most_longest(100), 1);
    std::atomic<int> turn{0};
    on(2, [&](participant& me) {
        if (!me.wires.offers.helping) return;
        if (me.rank() == 0) {
            auto& asked = me.receive(1, 3, question.size());
            left_behind answer(me, [&] {
                if (!me.test(asked)) return false;
                me.send(1, 4, asked.data);
                return true;
            });
            me.wires.leave(whom);
            turn = 1;
            me.stay_away_until([&] { return whom == left_to::thread ? answer.over() : turn == 2; },
                               "an errand to be run while it is away");
            me.wires.come_back();
            answer.remove();
            answer.rethrow();
            expect(answer.over(), "nobody has run the errand of a rank that is away");
            me.wait();
            return;
        }
        until_turn(me, turn, 1);
        const auto& answer = me.receive(0, 4, question.size());
        auto& asks = me.send(0, 3, question);
        if (whom == left_to::bringers) {
            const auto bring = [&] {
                const bool brought = me.test(asks);
                me.wires.run_due();
                return brought;
            };
            me.until(bring, "a message to be brought to a rank that is away");
            turn = 2;
        }
        me.wait();
        expect(answer.data == question, "an errand has received or sent something wrong");
    });
}

} // namespace detail

namespace checks {

/// Whoever brings something to a rank that is away runs what that makes ready.
inline void errands_of_a_rank_that_is_away(const ranks& on) {
    detail::ask_who_is_away(on, left_to::bringers);
}

/// It need not be whoever brings something.
inline void errands_left_to_a_thread(const ranks& on) { detail::ask_who_is_away(on, left_to::thread); }

/// Others keep off the errands of a rank before it has left and when it is back, and off what is none of its
/// errands any more. Meanwhile it calls nothing: a transport may have errands run in a rank's own calls.
inline void errands_of_a_rank_that_is_there(const ranks& on) {
    constexpr int times = 3;
    std::atomic<int> turn{0}, runs{0};
    on(2, [&](participant& me) {
        if (!me.wires.offers.helping) return;
        if (me.rank() == 1) {
            for (int i = 0; i < times; ++i) {
                detail::until_turn(me, turn, 2 * i + 1);
                me.test(me.send(0, 3, {}));
                me.wires.run_due();
                ++turn;
            }
        } else {
            for (int i = 0; i < times; ++i) me.receive(1, 3, 0);
            detail::left_behind counting(me, [&] {
                ++runs;
                return false;
            });
            const auto expect_none = [&](const std::string& when) {
                const int before = runs;
                const int theirs = ++turn;
                me.stay_away_until([&] { return turn == theirs + 1; }, "the other rank to bring something");
                expect(runs == before, "somebody runs an errand " + when);
            };
            expect_none("of a rank that has not left");
            me.wires.leave(left_to::bringers);
            me.wires.come_back();
            expect_none("of a rank that has come back");
            counting.remove();
            me.wires.leave(left_to::bringers);
            expect_none("that was removed");
            me.wires.come_back();
        }
        me.wait();
    });
}

} // namespace checks
} // namespace tutti::conformance
