#include "apps/coenergy/messages.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>

#include "coenergy/base/argument.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/base/way.hpp"

namespace coenergy::app {
namespace {

bool has_colours(std::FILE* stream) {
  const char* off = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (off == nullptr || *off == 0) && (terminal == nullptr || std::string(terminal) != "dumb") &&
         isatty(fileno(stream)) != 0;
}

std::string paint(std::FILE* stream, const char* code, const std::string& text) {
  return has_colours(stream) ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

constexpr const char *red = "31", *bold = "1", *cyan = "36";

/// Without an exception: this is how a failure is told, and whether streams took all is asked at the end of main.
void write_line(std::FILE* stream, const std::string& line) { std::fputs((line + '\n').c_str(), stream); }

bool has_answered = false;  // of this process, which makes one call

void print_errors(const char* status, nlohmann::json errors) {
  if (has_answered) return;
  const nlohmann::json answer = {{"version", version}, {"status", status}, {"errors", std::move(errors)}};
  has_answered = true;
  write_line(stdout, answer.dump(2));
}

nlohmann::json texts_as_json(const std::vector<std::string>& texts) {
  nlohmann::json all = nlohmann::json::array();
  for (const std::string& text : texts) all.push_back({{"text", text}});
  return all;
}

/// A line of a message with its place in bold: "model.yaml:3:5: " before the text.
std::string paint_place(const std::string& line) {
  std::size_t end = 0;
  for (std::size_t colon = line.find(':'); colon != std::string::npos; colon = line.find(':', colon + 1)) {
    if (colon + 1 < line.size() && line[colon + 1] == ' ') {
      end = colon + 1;
      break;
    }
  }
  if (end == 0 || line.find(' ') < end) return line;
  return paint(stderr, bold, line.substr(0, end)) + line.substr(end);
}

}  // namespace

nlohmann::json errors_as_json(const Error& error) {
  nlohmann::json all = nlohmann::json::array();
  for (const Error::Item& item : error.items()) {
    const Location& where = item.where;
    nlohmann::json one;
    if (!where.file.empty()) one["file"] = where.file.text();
    if (where.line > 0) one["line"] = where.line;
    if (where.column > 0) one["column"] = where.column;
    if (where.inside != nullptr) one["inside"] = where.inside->text();
    one["text"] = tell_error(Error(item.text), "--");
    all.push_back(std::move(one));
  }
  return all;
}

int print_answer(const nlohmann::json& answer) {
  has_answered = true;
  fmt::print("{}\n", answer.dump(2));
  return 0;
}

void print_error(const Error& error) {
  const std::string text = tell_error(error, "--");
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    write_line(stderr, paint_place(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

void print_refusal(const Error& error, bool json) {
  print_error(error);
  if (json) print_errors("refused", errors_as_json(error));
}

void print_refusal(const std::vector<std::string>& mistakes, bool json) {
  for (const std::string& mistake : mistakes) write_line(stderr, paint(stderr, bold, "coenergy: ") + mistake);
  if (json) print_errors("refused", texts_as_json(mistakes));
}

void print_failure(const std::string& text, bool json) {
  write_line(stderr, paint(stderr, red, text));
  if (json) print_errors("failed", texts_as_json({text}));
}

void print_note(std::FILE* stream, const std::string& text) {
  fmt::print(stream, "{} {}\n", paint(stream, cyan, "note:"), text);
}

}  // namespace coenergy::app
