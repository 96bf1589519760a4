#include "planner/record/plan_record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace volley::planner {
namespace {

using Part = PlanRecord::Part;

/// Reads the members of one frame; what is missing or of another type is damage of its line.
class FrameReader {
public:
    FrameReader(const Json& frame, std::size_t line) : frame_(frame), line_(line) {}

    std::string text(const char* name) const {
        const Json& member = at(name);
        if (!member.is_string()) wrong(name, "a text");
        return member.get<std::string>();
    }
    std::uint64_t number(const char* name) const {
        const Json& member = at(name);
        if (!member.is_number_unsigned()) wrong(name, "a number");
        return member.get<std::uint64_t>();
    }
    bool flag(const char* name) const {
        const Json& member = at(name);
        if (!member.is_boolean()) wrong(name, "true or false");
        return member.get<bool>();
    }
    const Json& object(const char* name) const {
        const Json& member = at(name);
        if (!member.is_object()) wrong(name, "an object");
        return member;
    }
    [[noreturn]] void damaged(const std::string& problem) const { throw PlanLogDamage(line_, problem); }

private:
    const Json& at(const char* name) const {
        const auto found = frame_.find(name);
        if (found == frame_.end()) damaged("lacks '" + std::string(name) + "'");
        return *found;
    }
    [[noreturn]] void wrong(const char* name, const char* wanted) const {
        damaged("has a '" + std::string(name) + "' that is not " + wanted);
    }

    const Json& frame_;
    std::size_t line_;
};

/// Puts a view together, frame by frame.
class ViewMaker {
public:
    explicit ViewMaker(PlanRecord& view) : view_(view) {}

    void add(const Json& frame, std::size_t line) {
        const FrameReader reader(frame, line);
        const std::string what = reader.text("frame");
        if (line == 1 && what != "run") reader.damaged("is not the head of a plan log");
        if (what == "run") {
            add_run(reader, line == 1);
        } else if (what == "step") {
            add_step(reader);
        } else if (what == "begin") {
            add_begin(reader);
        } else if (what == "end") {
            add_end(reader);
        } else {
            reader.damaged("is a '" + what + "', which this version of Volley does not know");
        }
    }

private:
    void add_run(const FrameReader& reader, bool first) {
        if (reader.number("version") != 2) reader.damaged("is of a version that this Volley does not know");
        if (first) view_.head = {reader.text("plan"), reader.text("parameters"), reader.flag("resumed")};
        // A run that goes on does again what had not ended well, and records that after it.
        for (PlanRecord::Step& step : view_.steps) {
            std::erase_if(step.parts, [](const auto& part) {
                return part.second.state == Part::State::Failed ||
                       part.second.state == Part::State::NotStored;
            });
        }
        step_of_.clear();
    }

    void add_step(const FrameReader& reader) {
        PlanRecord::Step step;
        step.key = reader.text("key");
        step.description = reader.text("description");
        step.targets = reader.number("targets");
        step_of_[reader.number("step")] = view_.steps.size();
        view_.steps.push_back(std::move(step));
    }

    PlanRecord::Step& step_in(const FrameReader& reader) {
        const auto found = step_of_.find(reader.number("step"));
        if (found == step_of_.end()) reader.damaged("is of a step that was not recorded");
        return view_.steps[found->second];
    }

    void add_begin(const FrameReader& reader) {
        PlanRecord::Step& step = step_in(reader);
        const std::string id = reader.text("id");
        for (PlanRecord::Step& earlier : view_.steps) {
            if (&earlier == &step || earlier.key != step.key) continue;
            const auto part = earlier.parts.find(id);
            if (part != earlier.parts.end() && part->second.state == Part::State::Begun)
                earlier.parts.erase(part);
        }
        step.parts[id] = {Part::State::Begun, reader.text("target"), {}, false};
    }

    void add_end(const FrameReader& reader) {
        Part& part = step_in(reader).parts[reader.text("id")];
        const std::string outcome = reader.text("outcome");
        if (outcome == "done") {
            part.value = std::make_shared<const Json>(reader.object("value"));
            part.state = Part::State::Done;
        } else if (outcome == "unkept") {
            part.state = Part::State::NotStored;
        } else if (outcome == "failed") {
            part.state = Part::State::Failed;
        } else {
            reader.damaged("has an unknown 'outcome'");
        }
    }

    PlanRecord& view_;
    std::map<std::uint64_t, std::size_t> step_of_;  // of the run that is being read
};

}  // namespace

bool PlanRecord::Step::complete() const {
    const auto done = std::count_if(parts.begin(), parts.end(),
                                    [](const auto& part) { return part.second.state == Part::State::Done; });
    return static_cast<std::size_t>(done) == targets;
}

std::vector<const PlanRecord::Step*> PlanRecord::unseen() const {
    std::vector<const Step*> found;
    for (const Step& step : steps) {
        const bool open = std::any_of(step.parts.begin(), step.parts.end(), [](const auto& part) {
            return part.second.state == Part::State::Begun;
        });
        if (open) found.push_back(&step);
    }
    return found;
}

PlanRecord PlanRecord::of(const PlanLogFrames& frames) {
    PlanRecord view;
    ViewMaker maker(view);
    for (std::size_t i = 0; i < frames.frames.size(); ++i) maker.add(frames.frames[i], i + 1);
    return view;
}

}  // namespace volley::planner
