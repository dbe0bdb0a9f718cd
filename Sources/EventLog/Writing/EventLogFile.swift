import Base
import PhoneCore

/// One file during writing: the names of its secrets, its pseudonyms, and its size.
struct EventLogFile {
    /// The machine of a file that hides something. It has seen only the file's events, so that its effects match the
    /// file.
    private struct Shadow {
        var machine: PhoneMachine
        var redaction: Redaction
    }

    private let coder = LineCoder()
    private let limit: Int
    private var written = 0
    private var shadow: Shadow?

    init(limit: Int) { self.limit = limit }

    /// The number of bytes that still fit.
    var room: Int { limit - written }

    mutating func append(_ bytes: [UInt8]) { written += bytes.count }

    /// The first line.
    mutating func begin(
        with machine: PhoneMachine, program: String, privacy: Privacy
    ) throws(EventLogError) -> [UInt8] {
        guard let hidden = privacy.hidden else {
            return try ended(EventLogHeader(machine: machine, program: program, privacy: privacy))
        }
        let redaction = Redaction(of: hidden)
        let shadow = Shadow(machine: try redaction.redacted(machine), redaction: redaction)
        self.shadow = shadow
        return try ended(EventLogHeader(machine: shadow.machine, program: program, privacy: privacy))
    }

    mutating func line(for happening: Happening) throws(EventLogError) -> [UInt8] {
        guard var shadow else {
            return try line(
                .event(LoggedEvent(at: happening.at, event: happening.event, effects: happening.effects)))
        }
        let event = try shadow.redaction.redacted(happening.event, in: shadow.machine.snapshot)
        let effects = shadow.machine.handle(event, at: happening.at)
        self.shadow = shadow
        return try line(.event(LoggedEvent(at: happening.at, event: event, effects: effects)))
    }

    func line(_ line: EventLogLine) throws(EventLogError) -> [UInt8] { try ended(line) }

    private func ended(_ value: some Encodable) throws(EventLogError) -> [UInt8] {
        let bytes = try coder.encode(value)
        guard bytes.count <= EventLogFormat.longestLine else { throw .lineTooLong(bytes: bytes.count) }
        return bytes + [UInt8(ascii: "\n")]
    }
}
