#pragma once
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "coenergy/base/error.hpp"

namespace coenergy::app {

/// What people are told: on a terminal with colours (unless NO_COLOR is set), and with --json also as
/// `{"version", "status", "errors": [{"file", "line", "column", "inside", "text"}]}` on standard output.
///
/// `status` is "refused" (2: the input is wrong) or "failed" (1: the computation did not succeed).

/// Errors as JSON; places that are not known are left out.
nlohmann::json errors_as_json(const Error& error);

/// The JSON answer of a call, on standard output. There is one: errors that come after it are told to people only.
/// Returns the exit status, 0.
int print_answer(const nlohmann::json& answer);

void print_error(const Error& error);                                     ///< for people
void print_refusal(const Error& error, bool json);                        ///< for people and scripts
void print_refusal(const std::vector<std::string>& mistakes, bool json);  ///< of a call
void print_failure(const std::string& text, bool json);
void print_note(std::FILE* stream, const std::string& text);  ///< "note: …"

}  // namespace coenergy::app
