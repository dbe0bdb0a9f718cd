import Base
import PhoneCore

/// One step of the phone, as the control thread passes it on. Its copies share their storage with the originals.
///
/// It contains the machine before the step, so that an event log may begin with any step.
public struct Happening: Sendable {
    public let machine: PhoneMachine
    public let event: PhoneEvent
    public let at: Instant
    public let effects: [PhoneEffect]

    public init(before machine: PhoneMachine, _ event: PhoneEvent, at: Instant, effects: [PhoneEffect]) {
        self.machine = machine
        self.event = event
        self.at = at
        self.effects = effects
    }
}

/// The items waiting to be written, from the control thread to the writer's thread.
///
/// A step that does not fit is lost. All steps after it are lost too, until the writer has caught up, so that a flood
/// causes one gap and not hundreds. The number of lost steps appears where they are missing.
public struct EventLogQueue: Sendable {
    public enum Item: Sendable {
        /// The value is boxed: a queue that grows moves a reference to it, not a whole phone.
        indirect case happening(Happening)
        /// This many steps are missing here.
        case lost(Int)
    }

    private var queue: BoundedQueue<Item>
    private var lost = 0

    /// - Precondition: `capacity` is at least 1.
    public init(capacity: Int) { queue = BoundedQueue(capacity: capacity) }

    public var isEmpty: Bool { queue.isEmpty && lost == 0 }

    public mutating func put(_ happening: Happening) {
        if lost > 0 || queue.push(.happening(happening)) != .queued { lost += 1 }
    }

    /// The next item, oldest first.
    public mutating func take() -> Item? {
        if let item = queue.pop() { return item }
        guard lost > 0 else { return nil }
        defer { lost = 0 }
        return .lost(lost)
    }
}

/// Turns the steps of the phone into the bytes of an event log. It touches no file: the owner of the file carries out
/// its orders.
///
/// Every file begins with the machine's state before its first event, so that each file can be replayed on its own.
/// One thread owns it. A step costs tens of microseconds, and about three times as many if something is hidden.
public struct EventLogWriter {
    public enum Order: Equatable, Sendable {
        /// Close the file, keep it as the older one, and continue with a new one.
        case turnOver
        /// Whole lines, with their ends.
        case append([UInt8])
    }

    private let program: String
    /// Limit of bytes in a file. The first event with its header may exceed it, and so may the last line about lost
    /// steps.
    private let limit: Int
    private let privacy: EventLogPrivacy
    /// Nil: the next step begins a file.
    private var file: EventLogFile?
    private var isFresh = true

    /// - Parameters:
    ///   - program: The version of the program.
    ///   - limit: Limit of bytes in a file. Positive.
    ///   - privacy: What to hide, besides secrets.
    public init(program: String, limit: Int, privacy: EventLogPrivacy) {
        precondition(limit > 0, "the limit is positive")
        self.program = program
        self.limit = limit
        self.privacy = privacy
    }

    /// Returns the orders, in sequence. After an error the event log must end, because it lacks a step.
    public mutating func write(_ item: EventLogQueue.Item) throws(EventLogError) -> [Order] {
        switch item {
        case .lost(let count): try close(saying: count)
        case .happening(let happening): try write(happening)
        }
    }

    private mutating func write(_ happening: Happening) throws(EventLogError) -> [Order] {
        if let line = try file?.line(for: happening), let room = file?.room, line.count <= room {
            file?.append(line)
            return [.append(line)]
        }
        var next = EventLogFile(limit: limit)
        let header = try next.begin(with: happening.machine, program: program, privacy: privacy)
        let line = try next.line(for: happening)
        next.append(header + line)
        defer { (file, isFresh) = (next, false) }
        return (isFresh ? [] : [.turnOver]) + [.append(header + line)]
    }

    /// Writes the number of missing steps as the file's last line. The next step begins another file.
    private mutating func close(saying lost: Int) throws(EventLogError) -> [Order] {
        defer { file = nil }
        return try file.map { file throws(EventLogError) in [.append(try file.line(.lost(lost)))] } ?? []
    }
}

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
        with machine: PhoneMachine, program: String, privacy: EventLogPrivacy
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

/// Why an event log cannot continue. The phone continues.
public enum EventLogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// JSON cannot express a value; the text says why.
    case unwritable(String)
    /// A redacted value is no longer a valid value of its kind; the text says why.
    case unredactable(String)
    case lineTooLong(bytes: Int)

    public var description: String {
        switch self {
        case .unwritable(let why): "cannot write an event: \(why)"
        case .unredactable(let why): "cannot redact an event: \(why)"
        case .lineTooLong(let bytes):
            "an event takes \(bytes) bytes; the limit is \(EventLogFormat.longestLine)"
        }
    }
}
