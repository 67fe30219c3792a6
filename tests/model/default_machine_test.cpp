// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/default_machine.hpp>

#include <filesystem>

#include <tutti/model/machine_file.hpp>

#include "support/catch2.hpp"

TEST_CASE("the default machine is the one of machines/threads.machine") {
    const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
    CHECK(tutti::default_machine() == tutti::load_machine((root / "machines/threads.machine").string()));
    CHECK(tutti::default_machine().model_name() == "measured");
}

TEST_CASE("on the default machine longer messages never cost less") {
    const auto& m = std::get<tutti::measured>(tutti::default_machine().model);
    for (std::int64_t bytes = 8; bytes < std::int64_t{1} << 26; bytes += bytes / 4 + 1) {
        INFO(bytes);
        CHECK(m.recv(bytes) <= m.recv(bytes + bytes / 4 + 1));
        CHECK(m.recv_fold(bytes) <= m.recv_fold(bytes + bytes / 4 + 1));
        CHECK(m.local(bytes) <= m.local(bytes + bytes / 4 + 1));
    }
}
