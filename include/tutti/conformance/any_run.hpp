// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/conformance/any_transport.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti::conformance {

namespace detail {

/// A transport of type T as one of any type.
template <class T>
class erased final : public any_transport {
    static_assert(check_transport<T>());

public:
    explicit erased(T& wires) : any_transport(offered()), wires_(wires) {}

    rank_type rank() const override { return wires_.rank(); }
    rank_type size() const override { return wires_.size(); }
    boxed start_send(rank_type peer, channel_type channel, gather_list data,
                     const call_label* label) override {
        if constexpr (labelling_transport<T>)
            if (label != nullptr) return box(at("start_send").start_send(peer, channel, data, *label));
        return box(at("start_send").start_send(peer, channel, data));
    }
    boxed start_recv(rank_type peer, channel_type channel, scatter_list data,
                     const call_label* label) override {
        if constexpr (labelling_transport<T>)
            if (label != nullptr) return box(at("start_recv").start_recv(peer, channel, data, *label));
        return box(at("start_recv").start_recv(peer, channel, data));
    }
    bool test(boxed& h) override { return at("test").test(as<handle>(h)); }
    void idle(std::uint32_t turns) override { at("idle").idle(turns); }
    void abandon(boxed& h) override { at("abandon").abandon(as<handle>(h)); }

    bool take(rank_type peer, channel_type channel, boxed& m) override {
        if constexpr (takes) return at("take").take(peer, channel, as<typename T::incoming>(m));
        return false;
    }
    gather_list pieces(boxed& m) const override {
        if constexpr (takes) return as<typename T::incoming>(m).pieces();
        return {};
    }
    void release(boxed& m) override {
        if constexpr (takes) at("release").release(as<typename T::incoming>(m));
    }
    bool is_away(boxed& m) const override {
        if constexpr (fetching_transport<T>) return as<typename T::incoming>(m).is_away();
        return false;
    }
    std::size_t bytes(boxed& m) const override {
        if constexpr (fetching_transport<T>) return as<typename T::incoming>(m).bytes();
        return 0;
    }
    void fetch(boxed& m, std::size_t offset, std::span<std::byte> to) override {
        if constexpr (fetching_transport<T>) at("fetch").fetch(as<typename T::incoming>(m), offset, to);
    }

    bool try_post(rank_type peer, channel_type channel, std::span<const std::byte> data) override {
        if constexpr (eager_transport<T>) return at("try_post").try_post(peer, channel, data);
        return false;
    }

    void check_call(channel_type channel, const call_label& label, std::uint32_t looks) override {
        if constexpr (labelling_transport<T>) at("check_call").check_call(channel, label, looks);
    }
    void call_off(channel_type channel, const std::string& why) override {
        if constexpr (labelling_transport<T>) at("call_off").call_off(channel, why);
    }
    channel_type* calls_made(std::uint32_t context) override {
        if constexpr (counting_transport<T>) return &at("calls_made").calls_made(context);
        return nullptr;
    }
    void close(channel_type channel) override {
        if constexpr (closing_transport<T>) at("close").close(channel);
    }

    void add(errand& what) override {
        if constexpr (helping_transport<T>) at("add").add(what);
    }
    void remove(errand& what) override {
        if constexpr (helping_transport<T>) at("remove").remove(what);
    }
    void leave(left_to whom) override {
        if constexpr (helping_transport<T>) at("leave").leave(whom);
    }
    void come_back() override {
        if constexpr (helping_transport<T>) at("come_back").come_back();
    }
    void run_due() override {
        if constexpr (helping_transport<T>) at("run_due").run_due();
    }

private:
    using handle = typename T::handle;
    static constexpr bool takes = has_take<T>;

    static refinements offered() {
        refinements all{.folding = folding_transport<T>,
                        .labelling = labelling_transport<T>,
                        .closing = closing_transport<T>,
                        .helping = helping_transport<T>,
                        .eager = eager_transport<T>};
        if constexpr (eager_transport<T>) {
            all.eager_bytes = T::eager_bytes();
            all.eager_depth = T::eager_depth();
        }
        return all;
    }

    T& at(const char* call) {
        pulse_.beat(call);
        return wires_;
    }

    template <class Content>
    static Content& as(boxed& one) {
        if (one == nullptr) one = std::make_shared<Content>();
        return *static_cast<Content*>(one.get());
    }
    static boxed box(handle h) {
        boxed one;
        as<handle>(one) = std::move(h);
        return one;
    }

    T& wires_;
};

} // namespace detail

/// A way to run ranks over a transport, as conformance.hpp says, with the type of either taken off.
class any_run {
public:
    /// What each rank calls.
    using rank_body = std::function<void(any_transport&)>;

    /// `run(size, body)` has to outlive it.
    template <class Run>
    any_run(const Run& run)
        : start_([&run](rank_type size, const rank_body& body) {
              run(size, [&body](auto& wires) {
                  detail::erased<std::remove_reference_t<decltype(wires)>> any(wires);
                  body(any);
              });
          }) {}

    /// Throws what the ranks do.
    void operator()(rank_type size, const rank_body& body) const { start_(size, body); }

private:
    std::function<void(rank_type, const rank_body&)> start_;
};

} // namespace tutti::conformance
