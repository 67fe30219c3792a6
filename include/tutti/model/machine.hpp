// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <tutti/model/kumar_kale_2004.hpp>
#include <tutti/model/loggops.hpp>
#include <tutti/model/measured.hpp>
#include <tutti/model/moody_2003.hpp>
#include <tutti/model/rabenseifner_2004.hpp>

namespace tutti {

/// A machine: one of the models with its parameters, and where they come from. Read from and written to small
/// text files by model/machine_file.hpp.
struct machine {
    std::string name{};   ///< "quadrics-elan3-nic"
    std::string source{}; ///< who measured it, where it is written
    std::variant<loggops, measured, moody_2003::model, rabenseifner_2004::model, kumar_kale_2004::model>
        model{}; ///< what it costs there

    /// "loggops", "measured", "moody_2003", ...: as machine files call it.
    std::string_view model_name() const noexcept {
        constexpr std::string_view names[]{"loggops", "measured", "moody_2003", "rabenseifner_2004",
                                           "kumar_kale_2004"};
        return names[model.index()];
    }

    friend bool operator==(const machine&, const machine&) = default;
};

} // namespace tutti
