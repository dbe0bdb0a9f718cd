import Base

/// A diagram of messages for people: the phone on the left, a column for each far end, an arrow for each message.
///
///     call 1 · office · 7d3f
///                       phone              192.0.2.100:5060 udp
///       12:00:01.123      │ ──────── INVITE ───────▶ │   1 INVITE  sip:200@pbx.example  application/sdp 312 bytes
///       12:00:01.127      │ ◀───── 100 Trying ────── │   1 INVITE
///
/// The memory is bounded: when there are too many far ends or calls, the oldest are forgotten. Control characters in a
/// message are replaced before it reaches the lines.
public struct Ladder: Sendable {
    /// The number of far ends that are drawn next to each other.
    static let maximumColumns = 4
    /// The number of calls whose numbers are remembered.
    static let maximumCalls = 256

    private let showsBodies: Bool
    /// The Call-ID of the message that was printed last.
    private var current: String?
    private var calls: [String] = []
    private var forgotten = 0
    private var columns: [String] = []

    public init(showsBodies: Bool) { self.showsBodies = showsBodies }

    /// The lines that this message adds. A new call adds a heading and the names, a new far end adds the names. The
    /// arrow follows, and the body if `showsBodies` is set.
    public mutating func lines(for signal: TracedSignal) -> [String] {
        let reading = SignalReading(signal.message)
        let heading = heading(of: signal, reading)
        let (column, isNew) = column(of: signal)
        let grid = LadderGrid(columns: columns)
        let arrow = grid.arrow(to: column, label: reading.label, isSent: signal.isSent)
        let line = "  \(Self.clock(signal.time))  \(arrow)   \(Self.detail(reading))"
        let names = heading.isEmpty && !isNew ? [] : [grid.names]
        return heading + names + [line] + (showsBodies ? Self.body(reading) : [])
    }

    /// The same messages call by call, in the order in which the calls began.
    public static func byCall(_ signals: [TracedSignal]) -> [TracedSignal] {
        var order: [String: Int] = [:]
        let places = signals.map { signal in
            let callID = SignalReading(signal.message).callID
            let place = order[callID] ?? order.count
            order[callID] = place
            return place
        }
        return zip(places, signals.indices).sorted { $0 < $1 }.map { signals[$0.1] }
    }

    private mutating func heading(of signal: TracedSignal, _ reading: SignalReading) -> [String] {
        guard current != reading.callID else { return [] }
        let isFirst = current == nil
        current = reading.callID
        let name = reading.callID.isEmpty ? "no call" : "call \(number(of: reading.callID)) · \(reading.callID)"
        return (isFirst ? [] : [""]) + ["\(name) · \(signal.account.withoutCommands)"]
    }

    private mutating func number(of callID: String) -> Int {
        if let place = calls.firstIndex(of: callID) { return forgotten + place + 1 }
        if calls.count == Self.maximumCalls {
            calls.removeFirst()
            forgotten += 1
        }
        calls.append(callID)
        return forgotten + calls.count
    }

    private mutating func column(of signal: TracedSignal) -> (Int, isNew: Bool) {
        let name = "\(signal.remote.text) \(signal.transport)".withoutCommands
        if let column = columns.firstIndex(of: name) { return (column, false) }
        if columns.count == Self.maximumColumns { columns.removeFirst() }
        columns.append(name)
        return (columns.count - 1, true)
    }

    private static func detail(_ reading: SignalReading) -> String {
        let sequence = reading.sequence.map { "\($0) \(reading.method.withoutCommands)" }
        let body = reading.body.isEmpty ? nil : "\(reading.contentType) \(reading.body.count) bytes"
        return [sequence, reading.target, body].compactMap { $0 }.joined(separator: "  ")
    }

    private static func body(_ reading: SignalReading) -> [String] {
        String(decoding: reading.body, as: UTF8.self)
            .split(omittingEmptySubsequences: true) { $0.isNewline }
            .map { "      " + String($0).withoutCommands }
    }

    /// The time of day in UTC.
    private static func clock(_ microseconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let milliseconds = microseconds.flooredDivision(by: 1_000)
        let seconds = milliseconds.flooredDivision(by: 1_000)
        let (fraction, day) = (milliseconds - seconds * 1_000, seconds - seconds.flooredDivision(by: 86_400) * 86_400)
        return "\(two(day / 3_600)):\(two(day / 60 % 60)):\(two(day % 60)).\("\(fraction + 1_000)".dropFirst())"
    }
}

extension Int64 {
    /// Rounds down, also for times before 1970.
    func flooredDivision(by divisor: Int64) -> Int64 { self / divisor - (self % divisor < 0 ? 1 : 0) }
}

/// The columns of a ladder as they are drawn: one vertical line for the phone and one for each far end.
struct LadderGrid: Equatable {
    /// Characters between two vertical lines. A longer name of a far end, such as one with an IPv6 address, is cut.
    static let width = 30

    let columns: [String]

    /// The names above the vertical lines.
    var names: String {
        var line = String(repeating: " ", count: 16) + "phone"
        for (index, name) in columns.enumerated() {
            let name = Self.cut(name, to: Self.width - 2)
            // The name is above its vertical line, or as near to it as the name before allows.
            let start = Self.place(of: index) - name.count / 2
            line += String(repeating: " ", count: max(2, start - line.count)) + name
        }
        return line
    }

    /// The arrow of one message, from the phone's line to the far end's.
    func arrow(to column: Int, label: String, isSent: Bool) -> String {
        let length = (column + 1) * (Self.width + 1) - 1
        let label = " " + Self.cut(label, to: length - 8) + " "
        let rest = length - label.count - 3
        let before = String(repeating: "─", count: rest / 2)
        let after = String(repeating: "─", count: rest - rest / 2)
        let shaft = isSent ? " \(before)\(label)\(after)▶ " : " ◀\(before)\(label)\(after) "
        let others = String(
            repeating: String(repeating: " ", count: Self.width) + "│", count: columns.count - column - 1)
        return "│\(shaft)│\(others)"
    }

    /// The position of a far end's vertical line in the text.
    private static func place(of column: Int) -> Int { 16 + (column + 1) * (width + 1) }

    private static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(width - 1) + "…"
    }
}
