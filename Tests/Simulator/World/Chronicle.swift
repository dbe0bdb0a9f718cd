import Base
import PhoneCore
import SIPCore

/// The last events, stored unformatted and formatted only after a failure.
struct Chronicle: Sendable {
    enum Entry: Sendable {
        case phone(Int, PhoneEvent, [PhoneEffect])
        case story(Proxy.Story)
        case deed(Int, Person.Act)
        case world(String)
        /// Something arrives.
        case wire(Datagram)
    }

    var onLine: (@Sendable (String) -> Void)?
    private let capacity: Int
    private var entries: [(at: Instant, entry: Entry)] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func add(_ entry: Entry, at now: Instant) {
        if let onLine { onLine(Self.line(now, entry)) }
        if entries.count < capacity { return entries.append((now, entry)) }
        entries[oldest] = (now, entry)
        oldest = (oldest + 1) % capacity
    }

    /// Oldest first, one line each.
    var lines: [String] { (entries[oldest...] + entries[..<oldest]).map { Self.line($0.at, $0.entry) } }

    static func line(_ at: Instant, _ entry: Entry) -> String {
        let time = Self.time(at)
        switch entry {
        case .phone(let phone, let event, let effects):
            let did =
                effects.isEmpty ? "" : effects.map { "\n\(String(repeating: " ", count: 16))→ \(text($0))" }.joined()
            return "\(time) \(name(phone)) \(text(event))\(did)"
        case .story(let story): return "\(time) server   \(story)"
        case .deed(let phone, let act): return "\(time) \(name(phone)) ✋ \(act)"
        case .world(let text): return "\(time) world    \(text)"
        case .wire(let datagram): return "\(time) wire     \(text(datagram))"
        }
    }

    private static func name(_ phone: Int) -> String { "phone \(SimulatedPhone.number(phone))" }

    private static func time(_ at: Instant) -> String {
        let micros = at.nanoseconds / 1_000
        let fraction = String(micros % 1_000_000 + 1_000_000).dropFirst()
        return "\(micros / 1_000_000).\(fraction)"
    }

    private static func text(_ event: PhoneEvent) -> String { short(event) }

    /// Its destination, its first line, and an identifier that distinguishes it.
    private static func text(_ datagram: Datagram) -> String {
        let lines = String(decoding: datagram.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let marks = lines.filter { line in ["Via:", "CSeq:", "Call-ID:", "Reason:"].contains { line.hasPrefix($0) } }
        return "\(datagram.from.host) → \(datagram.to.host)  \(lines.first ?? "") | \(marks.joined(separator: " | "))"
    }

    /// A call in short form: its summary is as long as a page.
    private static func text(_ effect: PhoneEffect) -> String {
        if case .control(.snapshot(let id, _)) = effect { return "control(snapshot(\(id)))" }
        guard case .control(.notice(let notice)) = effect else { return short(effect) }
        switch notice {
        case .callChanged(let call): return "notice: \(text(call))"
        case .callEnded(let call, let reason): return "notice: \(text(call)): \(short(reason))"
        case .missedCall(let call, let reason): return "notice: missed \(call.call): \(reason.rawValue)"
        case .answeredElsewhere(let call): return "notice: answered elsewhere \(call.call)"
        default: return "notice: \(short(notice))"
        }
    }

    private static func text(_ call: CallSummary) -> String {
        let held = (call.heldHere ? ", held here" : "") + (call.heldThere ? ", held there" : "")
        let name = call.name.map { " «\($0)»" } ?? ""
        let rest = (call.farEndRings ? ", rings there" : "") + (call.impaired ? ", impaired" : "")
        return "\(call.call) \(call.phase.rawValue) \(call.number)\(name)\(held)\(rest)"
    }

    /// Without type names, which mean nothing here.
    private static func short(_ value: some Any) -> String {
        var words: [Substring] = []
        var rest = Substring("\(value)")
        while let dot = rest.firstIndex(of: ".") {
            // `PhoneEvent.` and the like: from the capital letter on.
            let start = rest[..<dot].lastIndex { !$0.isLetter }.map { rest.index(after: $0) } ?? rest.startIndex
            let isType = start < dot && rest[start].isUppercase
            words.append(isType ? rest[..<start] : rest[...dot])
            rest = rest[rest.index(after: dot)...]
        }
        words.append(rest)
        return String(words.joined().prefix(300))
    }
}
