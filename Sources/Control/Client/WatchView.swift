import Base
import JSON

/// A phone on a terminal of a given size. Calls come first, because they must fit on the smallest one.
public struct WatchView: Equatable, Sendable {
    public struct Row: Equatable, Sendable {
        public enum Look: Equatable, Sendable { case plain, heading, alert, faint }

        public var text: String
        public var look = Look.plain
    }

    /// At most as many rows as the terminal has, none longer than its width.
    public let rows: [Row]

    /// - Parameter now: CLOCK_MONOTONIC, like the phone's instants.
    public init(_ model: WatchModel, width: Int, height: Int, at now: Instant) {
        let (width, height) = (max(1, width), max(1, height))
        var rows = Self.calls(model, now) + Self.facts(model, now)
        let foot = Row(text: "q quits", look: .faint)
        let room = height - rows.count - 3
        if room > 0, let origin = model.events.first?.at {
            let last = model.events.suffix(room)
            rows += [Row(text: ""), Row(text: "events", look: .heading)]
            rows += last.map { Row(text: EventText.line($0, since: origin), look: Self.look(of: $0)) }
        }
        if height > 1 { rows = rows.prefix(height - 1) + [foot] }
        self.rows = rows.prefix(height).map { Row(text: String($0.text.prefix(width)), look: $0.look) }
    }

    /// The present state, one line per fact, without anything that changes only with time.
    public static func changes(_ model: WatchModel) -> [String] {
        if let lost = model.lost { return ["no phone: " + TerminalText.clean(lost)] }
        guard case .object(var members) = model.snapshot else { return [] }
        // Without the snapshot's instant there are no durations.
        members["at"] = nil
        return StatusText.lines(.object(members)).map { line in
            line.split(separator: " ").filter { $0 != "--:--" }.joined(separator: " ")
        }
    }

    private static func calls(_ model: WatchModel, _ now: Instant) -> [Row] {
        if let lost = model.lost {
            return [Row(text: "no phone: " + TerminalText.clean(lost), look: .alert), Row(text: "retrying")]
        }
        let lines = StatusText.calls(at(now, model.snapshot))
        let names = model.snapshot["calls"]?.array?.map { $0["call"]?.string ?? "" } ?? []
        let phases = model.snapshot["calls"]?.array?.map { $0["phase"]?.string ?? "" } ?? []
        var rows = [Row(text: lines.first ?? "", look: .heading)]
        for (index, line) in lines.dropFirst().enumerated() {
            let rings = phases.indices.contains(index) && phases[index] == "ringingIn"
            rows.append(Row(text: line, look: rings ? .alert : .plain))
            guard names.indices.contains(index), let quality = model.qualities[names[index]] else { continue }
            rows.append(Row(text: "    " + text(of: quality), look: look(of: quality)))
        }
        if model.hasCalls, let levels = text(of: model.levels) { rows.append(Row(text: levels, look: .faint)) }
        return rows
    }

    /// Nil before the levels are known.
    private static func text(of levels: [WatchModel.Level]) -> String? {
        guard levels.contains(where: { !$0.line.values.isEmpty }) else { return nil }
        return levels.map { level in
            let figure = level.last.map { "\(Int(max(-999, min(999, $0)))) dB" } ?? "silent"
            return "\(level.name) \(figure) \(level.line.text)"
        }.joined(separator: "  ")
    }

    /// Everything else of a status: lines, panel, sound, missed calls.
    private static func facts(_ model: WatchModel, _ now: Instant) -> [Row] {
        guard model.snapshot.object != nil else { return [] }
        let snapshot = at(now, model.snapshot)
        let sections = [
            StatusText.registrations(snapshot), StatusText.panel(snapshot), StatusText.missedCalls(snapshot),
        ]
        return sections.filter { !$0.isEmpty }.flatMap { lines in
            [Row(text: "")]
                + lines.enumerated().map { index, line in
                    // The panel has no heading, because each of its lines begins with its subject.
                    Row(text: line, look: index == 0 && lines != sections[1] ? .heading : .plain)
                }
        }
    }

    private static func at(_ now: Instant, _ snapshot: JSONValue) -> JSONValue {
        guard case .object(var members) = snapshot else { return snapshot }
        members["at"] = .integer(now.nanoseconds)
        return .object(members)
    }

    private static func text(of quality: WatchModel.Quality) -> String {
        func figure(_ name: String) -> String {
            guard let number = quality.last[name]?.double, number.magnitude < 1_000_000 else { return "?" }
            let tenths = Int((number * 10).rounded())
            return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
        }
        return "MOS \(figure("mos")) \(quality.mos.text)  jitter \(figure("jitterMs")) ms \(quality.jitter.text)  "
            + "loss \(figure("lossPercent")) % \(quality.loss.text)"
    }

    private static func look(of quality: WatchModel.Quality) -> Row.Look {
        quality.last["rating"] == "poor" ? .alert : .faint
    }

    private static func look(of event: ControlEvent) -> Row.Look {
        let bad: [EventName] = [.error, .callFailed, .missedCall, .callRefused, .disconnected]
        return bad.contains { $0.rawValue == event.name } ? .alert : .plain
    }
}
