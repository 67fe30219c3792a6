// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>

#include <tutti/model/machine.hpp>

/// What machine files say about each model: one list for reading and for writing.
namespace tutti::detail {

/// Whether a file may leave a key out; its value is that of a new model then.
enum class presence : bool { required, optional };

/// Calls, for every parameter of the model and in the order in which files have them, one of
///   keys.time(name, double&, presence)           us, ns, ps
///   keys.time_per_byte(name, double&, presence)  us/B, ns/B, ps/B
///   keys.bytes(name, std::int64_t&, presence)    B, KiB, MiB
///   keys.count(name, int&, presence)             from 1, without unit
///   keys.table(name, piecewise&, presence)       a time, or a time for each of several lengths
///   keys.tables(name, map of piecewise&)         the same by the name of an operation; may be none
///   keys.word(name, std::string&, presence)
template <class Model, class Keys>
void for_each_key(Model& m, Keys&& keys) {
    using enum presence;
    using model = std::remove_const_t<Model>;
    if constexpr (std::same_as<model, loggops>) {
        keys.time("L", m.L, required);
        keys.time("o", m.o, required);
        keys.time("g", m.g, required);
        keys.time_per_byte("G", m.G, required);
        keys.time_per_byte("O", m.O, required);
        keys.bytes("S", m.S, required);
        keys.time_per_byte("fold_per_byte", m.fold_per_byte, optional);
        keys.time_per_byte("copy_per_byte", m.copy_per_byte, optional);
    } else if constexpr (std::same_as<model, measured>) {
        keys.time("call", m.call, required);
        keys.table("send", m.send, required);
        keys.table("latency", m.latency, required);
        keys.table("recv", m.recv, required);
        keys.table("recv_fold", m.recv_fold, required);
        keys.table("fetch", m.fetch, required);
        keys.table("local", m.local, required);
        keys.bytes("inside", m.inside, required);
        keys.count("cores", m.cores, required);
        keys.time("switching", m.switching, required);
    } else if constexpr (std::same_as<model, moody_2003::model>) {
        keys.time("L", m.L, required);
        keys.table("r", m.r, required);
        keys.time("C", m.C, required);
        keys.word("operation", m.operation, optional);
        keys.tables("c", m.c);
    } else if constexpr (std::same_as<model, rabenseifner_2004::model>) {
        keys.time("alpha", m.alpha, required);
        keys.time_per_byte("beta", m.beta, required);
        keys.time_per_byte("gamma", m.gamma, required);
        keys.time("alpha_uni", m.alpha_uni, required);
        keys.time_per_byte("beta_uni", m.beta_uni, required);
    } else { // the paper has no figure for what may be left out
        static_assert(std::same_as<model, kumar_kale_2004::model>);
        keys.time("alpha", m.alpha, required);
        keys.time_per_byte("beta", m.beta, required);
        keys.time_per_byte("beta_em", m.beta_em, required);
        keys.time_per_byte("delta", m.delta, required);
        keys.time_per_byte("gamma", m.gamma, optional);
        keys.time_per_byte("contention", m.contention, optional);
        keys.time("L", m.L, optional);
    }
}

} // namespace tutti::detail
