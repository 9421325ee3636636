#pragma once
#include <string>
#include <string_view>

namespace coenergy::generate {

/// A text with places: %NAME% is replaced.
class TextTemplate {
 public:
  explicit TextTemplate(std::string_view text) : text_(text) {}
  TextTemplate& set(const std::string& key, const std::string& value) {
    const std::string mark = "%" + key + "%";
    for (std::size_t at = text_.find(mark); at != std::string::npos; at = text_.find(mark, at + value.size()))
      text_.replace(at, mark.size(), value);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace coenergy::generate
