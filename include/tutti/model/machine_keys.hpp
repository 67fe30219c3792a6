// SPDX-License-Identifier: BSL-1.0
#pragma once

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
    requires std::same_as<std::remove_const_t<Model>, loggops>
void for_each_key(Model& m, Keys&& keys) {
    keys.time("L", m.L, presence::required);
    keys.time("o", m.o, presence::required);
    keys.time("g", m.g, presence::required);
    keys.time_per_byte("G", m.G, presence::required);
    keys.time_per_byte("O", m.O, presence::required);
    keys.bytes("S", m.S, presence::required);
    keys.time_per_byte("fold_per_byte", m.fold_per_byte, presence::optional);
    keys.time_per_byte("copy_per_byte", m.copy_per_byte, presence::optional);
}

template <class Model, class Keys>
    requires std::same_as<std::remove_const_t<Model>, measured>
void for_each_key(Model& m, Keys&& keys) {
    keys.time("call", m.call, presence::required);
    keys.table("send", m.send, presence::required);
    keys.table("latency", m.latency, presence::required);
    keys.table("recv", m.recv, presence::required);
    keys.table("recv_fold", m.recv_fold, presence::required);
    keys.table("fetch", m.fetch, presence::required);
    keys.table("local", m.local, presence::required);
    keys.bytes("inside", m.inside, presence::required);
    keys.count("cores", m.cores, presence::required);
    keys.time("switching", m.switching, presence::required);
}

template <class Model, class Keys>
    requires std::same_as<std::remove_const_t<Model>, moody_2003::model>
void for_each_key(Model& m, Keys&& keys) {
    keys.time("L", m.L, presence::required);
    keys.table("r", m.r, presence::required);
    keys.time("C", m.C, presence::required);
    keys.word("operation", m.operation, presence::optional);
    keys.tables("c", m.c);
}

template <class Model, class Keys>
    requires std::same_as<std::remove_const_t<Model>, rabenseifner_2004::model>
void for_each_key(Model& m, Keys&& keys) {
    keys.time("alpha", m.alpha, presence::required);
    keys.time_per_byte("beta", m.beta, presence::required);
    keys.time_per_byte("gamma", m.gamma, presence::required);
    keys.time("alpha_uni", m.alpha_uni, presence::required);
    keys.time_per_byte("beta_uni", m.beta_uni, presence::required);
}

/// The paper has no figure for what may be left out.
template <class Model, class Keys>
    requires std::same_as<std::remove_const_t<Model>, kumar_kale_2004::model>
void for_each_key(Model& m, Keys&& keys) {
    keys.time("alpha", m.alpha, presence::required);
    keys.time_per_byte("beta", m.beta, presence::required);
    keys.time_per_byte("beta_em", m.beta_em, presence::required);
    keys.time_per_byte("delta", m.delta, presence::required);
    keys.time_per_byte("gamma", m.gamma, presence::optional);
    keys.time_per_byte("contention", m.contention, presence::optional);
    keys.time("L", m.L, presence::optional);
}

} // namespace tutti::detail
