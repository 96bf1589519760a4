#include "planner/checks/plan_code.hpp"

#include "language/syntax/parser.hpp"
#include "planner/yaml_plan/yaml_plan.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

class YamlCode {
public:
    explicit YamlCode(const YamlPlan& plan) : plan_(plan) {
        for (const YamlPlan::Parameter& one : plan.parameters()) names_.push_back(one.name);
        for (const YamlStep& step : plan.steps()) {
            add(step.body);
            if (step.name) names_.push_back(*step.name);
        }
        if (plan.returned()) add(*plan.returned());
    }
    std::vector<PlanCode> pieces;

private:
    void add(const YamlValue& value) {
        for (const YamlValue& item : value.items) add(item);
        for (const YamlValue::Entry& entry : value.entries) add(entry.second);
        if (!value.is_code()) return;
        try {
            PlanCode piece;
            piece.program = parse_program(yaml_code(value), {.file = {}, .tasks = true});
            piece.root = piece.program->body;
            piece.yaml = &value;
            piece.file = plan_.file();
            piece.names = names_;
            if (piece.root) pieces.push_back(std::move(piece));
        } catch (const LanguageError&) {
            return;  // reading the plan says what is wrong with it
        }
    }

    const YamlPlan& plan_;
    std::vector<std::string> names_;
};

}  // namespace

Location PlanCode::at(const ast::Node& node) const {
    return yaml ? place_in_yaml(*yaml, file, node.location()) : node.location();
}

std::vector<PlanCode> code_of_plan(const PlanDefinition& plan) {
    if (plan.yaml) return YamlCode(*plan.yaml).pieces;
    if (!plan.definition) return {};
    PlanCode code;
    code.program = plan.program;
    code.root = plan.definition;
    code.file = plan.file.string();
    return {std::move(code)};
}

std::string meant_name(const std::string& word, const std::vector<std::string>& names) {
    const auto close = closest_match(word, names);
    return close ? "; did you mean '" + *close + "'?" : "";
}

}  // namespace volley::planner
