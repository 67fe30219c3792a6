// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <system_error>

namespace support {

/// A name in the folder for temporary files; the file goes with this.
class scratch_file {
public:
    explicit scratch_file(const std::string& name)
        : path_(std::filesystem::temp_directory_path() / (std::to_string(std::random_device{}()) + name)) {}
    ~scratch_file() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    scratch_file(const scratch_file&) = delete;
    scratch_file& operator=(const scratch_file&) = delete;

    std::string path() const { return path_.string(); }
    std::string text() const {
        std::ostringstream all;
        all << std::ifstream(path_).rdbuf();
        return all.str();
    }

private:
    std::filesystem::path path_;
};

} // namespace support
