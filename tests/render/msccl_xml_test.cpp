// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <tutti/render/msccl_gpu.hpp>
#include <tutti/render/msccl_xml.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"
#include "support/msccl_contract.hpp"
#include "support/msccl_executors.hpp"
#include "support/msccl_runner.hpp"
#include "support/told_schedule.hpp"

using namespace support;
using tutti::collective;

TEST_CASE("run by the rules of MSCCL, every algorithm leaves what its collective promises") {
    for (const tutti::catalogue_entry& entry : tutti::catalogue())
        for (const tutti::parameters& options : variants_of(entry))
            for (const tutti::rank_type size : {1, 2, 3, 5, 6, 8})
                for (const bool in_place : {false, true}) {
                    if (!known_to_msccl(entry.what) || (in_place && entry.what == collective::alltoall))
                        continue;
                    const tutti::rank_type root = tutti::has_root(entry.what) ? size / 2 : 0;
                    INFO(name_of(entry, size) << (in_place ? ", in place" : ""));
                    CHECK(msccl_trouble(ensemble_of(entry, size, options, root), entry.what, in_place) == "");
                }
}

TEST_CASE("vectors of many chunks go in pieces, many peers over several channels") {
    const any_ensemble pipeline = ensemble_of(collective::allreduce, "kary", 4, {{"segments", 100}});
    CHECK(msccl_trouble(pipeline, collective::allreduce, false) == "");
    CHECK(tutti::msccl_xml(pipeline, collective::allreduce).find("cnt=\"64\"") != std::string::npos);
    const any_ensemble direct = ensemble_of(collective::allgather, "direct", 35);
    CHECK(msccl_trouble(direct, collective::allgather, true) == "");
    CHECK(tutti::msccl_xml(direct, collective::allgather).find("nchannels=\"2\"") != std::string::npos);
    CHECK(tutti::detail::msccl_channel(1, 3, 5, 2) == 0);
    CHECK(tutti::detail::msccl_channel(1, 4, 5, 2) == 1);
}

TEST_CASE("a small algorithm, whole") {
    CHECK(
        tutti::msccl_xml(ensemble_of(collective::reduce_scatter, "pairwise", 2), collective::reduce_scatter)
        == R"(<algo name="tutti" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="reduce_scatter" inplace="0" outofplace="1" minBytes="0" maxBytes="134217728">
  <gpu id="0" i_chunks="2" o_chunks="1" s_chunks="2">
    <tb id="0" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="1"/>
      <step s="1" type="cpy" srcbuf="s" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="1" deps="0" hasdep="0"/>
    </tb>
    <tb id="1" send="-1" recv="1" chan="0">
      <step s="0" type="rrc" srcbuf="s" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="0" deps="0" hasdep="1"/>
    </tb>
    <tb id="2" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="s" srcoff="1" dstbuf="i" dstoff="-1" cnt="1" depid="0" deps="0" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="2" o_chunks="1" s_chunks="2">
    <tb id="0" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="1"/>
      <step s="1" type="cpy" srcbuf="s" srcoff="1" dstbuf="o" dstoff="0" cnt="1" depid="1" deps="0" hasdep="0"/>
    </tb>
    <tb id="1" send="-1" recv="0" chan="0">
      <step s="0" type="rrc" srcbuf="s" srcoff="1" dstbuf="s" dstoff="1" cnt="1" depid="0" deps="0" hasdep="1"/>
    </tb>
    <tb id="2" send="0" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="s" srcoff="0" dstbuf="i" dstoff="-1" cnt="1" depid="0" deps="0" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)");
    CHECK(
        tutti::msccl_xml(ensemble_of(collective::alltoall, "bruck", 2), collective::alltoall)
        == R"(<algo name="tutti" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="alltoall" inplace="0" outofplace="1" minBytes="0" maxBytes="1099511627776">
  <gpu id="0" i_chunks="2" o_chunks="2" s_chunks="0">
    <tb id="0" send="-1" recv="1" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="1" dstbuf="i" dstoff="-1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="2" o_chunks="2" s_chunks="0">
    <tb id="0" send="-1" recv="0" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="0" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="-1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="cpy" srcbuf="i" srcoff="1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)");
}

TEST_CASE("a thread block waits for several others by steps that do nothing else") {
    tutti::msccl_gpu gpu;
    gpu.receive(1, 0, {'o', 0}, 1, false);
    gpu.receive(2, 0, {'o', 1}, 1, false);
    gpu.send(3, 0, {'o', 0}, 2);
    gpu.send(3, 0, {'o', 1}, 1); // what it waits for is done by then
    gpu.receive(1, 0, {'o', 1}, 1, true);
    const auto& blocks = gpu.blocks();
    REQUIRE(blocks.size() == 3);
    REQUIRE(blocks[2].steps.size() == 3);
    CHECK(blocks[2].steps[0].type == "nop");
    CHECK(blocks[2].steps[1].type == "s");
    CHECK(blocks[2].steps[0].depends_block + blocks[2].steps[1].depends_block == 1); // 0 and 1
    CHECK(blocks[2].steps[2].depends_block == -1);
    // The fold waits for the last reader; it has seen all that the reader has.
    REQUIRE(blocks[0].steps.size() == 2);
    CHECK(blocks[0].steps[1].depends_block == 2);
    CHECK(blocks[0].steps[1].depends_step == 2);
    CHECK(blocks[2].steps[2].depended_on);
}

TEST_CASE("both kinds of executors take an algorithm for what it is for") {
    const auto attributes = [](collective what, const char* name, const tutti::msccl_options& options) {
        return xml_reader(tutti::msccl_xml(ensemble_of(what, name, 4), what, options)).whole();
    };
    const std::int64_t gib = std::int64_t{1} << 30;
    const xml inside = attributes(collective::allreduce, "ring", {.in_place = true});
    const xml outside = attributes(collective::allgather, "ring", {});
    for (const auto& taken : {taken_by_msccl, taken_by_rccl})
        for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{4} << 20, 80 * gib}) {
            CHECK(taken(inside, true, bytes));
            CHECK_FALSE(taken(inside, false, bytes));
            CHECK(taken(outside, false, bytes));
            CHECK_FALSE(taken(outside, true, bytes));
        }
    // MSCCL sets aside as much scratch as the longest call needs: what it takes if nothing is said.
    CHECK(attributes(collective::reduce_scatter, "ring", {})["maxBytes"] == "134217728");
    CHECK(attributes(collective::reduce_scatter, "ring", {.min_bytes = gib})["maxBytes"] == "2147483648");
    const xml some = attributes(collective::allreduce, "ring", {.min_bytes = 1000, .max_bytes = 2000});
    for (const auto& taken : {taken_by_msccl, taken_by_rccl}) {
        CHECK_FALSE(taken(some, false, 999));
        CHECK(taken(some, false, 1000));
        CHECK(taken(some, false, 1999));
        CHECK_FALSE(taken(some, false, 2001));
    }
}

TEST_CASE("a gather or scatter is one for calls in place and others, whichever is asked for") {
    for (const collective what : {collective::gather, collective::scatter}) {
        const any_ensemble all = ensemble_of(what, "fnomial", 6, {}, 2);
        const std::string text = tutti::msccl_xml(all, what);
        CHECK(text == tutti::msccl_xml(all, what, {.in_place = true}));
        const xml algo = xml_reader(text).whole();
        CHECK(algo["nchunksperloop"] == "1");
        for (const bool in_place : {false, true}) CHECK(taken_by_rccl(algo, in_place, 1 << 20));
        // No rank but the root has a buffer for more than its part.
        for (std::size_t g = 0; g < 6; ++g) CHECK((algo.children[g]["s_chunks"] == "0") == (g == 2));
    }
}

TEST_CASE("what MSCCL cannot do is refused") {
    const auto refused = [](collective what, const char* name,
                            const tutti::msccl_options& options) -> std::string {
        try {
            tutti::msccl_xml(ensemble_of(what, name, 4), what, options);
        } catch (const tutti::argument_error& e) {
            return e.argument();
        }
        return "";
    };
    CHECK(refused(collective::barrier, "dissemination", {}) == "collective");
    CHECK(refused(collective::exscan, "census", {}) == "collective");
    CHECK(refused(collective::scan, "chain", {}) == "collective");
    CHECK(refused(collective::gather, "fnomial", {}) == "");
    CHECK(refused(collective::scatter, "serial", {.in_place = true}) == "");
    CHECK(refused(collective::alltoall, "pairwise", {.in_place = true}) == "in_place");
    CHECK(refused(collective::bcast, "serial", {.protocol = "LL256"}) == "protocol");
    CHECK(refused(collective::bcast, "serial", {.protocol = "LL128"}) == "");
    CHECK(refused(collective::bcast, "serial", {.min_bytes = -1}) == "min_bytes");
    CHECK(refused(collective::bcast, "serial", {.min_bytes = std::int64_t{1} << 60}) == "");
    CHECK(refused(collective::bcast, "serial", {.min_bytes = (std::int64_t{1} << 60) + 1}) == "min_bytes");
    CHECK(refused(collective::bcast, "serial", {.max_bytes = -1}) == "max_bytes");
    CHECK(refused(collective::bcast, "serial", {.min_bytes = 8, .max_bytes = 8}) == "max_bytes");
    CHECK(refused(collective::bcast, "serial", {.min_bytes = 8, .max_bytes = 9}) == "");
}

TEST_CASE("a scatter that changes the vector of the root, which is the caller's, is refused") {
    const tutti::block_set one{.first = 0, .count = 1};
    const auto refused = [](const told_schedule& told) {
        try {
            tutti::msccl_xml(told.all(), collective::scatter);
        } catch (const tutti::argument_error& e) {
            return e.argument() == "schedule";
        }
        return false;
    };
    CHECK(refused(told_schedule({{{tutti::step::recv(1, one)}}, {{tutti::step::send(0, one)}}})));
    CHECK(refused(told_schedule(
        {{{tutti::step::copy(one, tutti::buffer_name::scratch, tutti::buffer_name::work)}}, {}})));
    CHECK_FALSE(refused(told_schedule({{{tutti::step::send(1, one)}}, {{tutti::step::recv(0, one)}}})));
}

TEST_CASE("names of algorithms may be any text") {
    const std::string text = tutti::msccl_xml(ensemble_of(collective::bcast, "serial", 2), collective::bcast,
                                              {.name = "a<b> \"c\" & d"});
    CHECK(xml_reader(text).whole()["name"] == "a<b> \"c\" & d");
}
