import Base
import EventLog
import PhoneCore

/// Plays the control thread and the disk: a machine whose steps are written, and the resulting files.
struct Tape {
    private(set) var machine: PhoneMachine
    private(set) var files: [[UInt8]] = [[]]
    private var writer: EventLogWriter

    init(policy: PhonePolicy = PhonePolicy(), limit: Int = 1 << 24, redacts: Bool = false) {
        self.init(policy: policy, limit: limit, privacy: redacts ? .everybodyHidden : .nothingHidden)
    }

    init(policy: PhonePolicy = PhonePolicy(), limit: Int = 1 << 24, privacy: EventLogPrivacy) {
        machine = PhoneMachine(policy: policy)
        writer = EventLogWriter(program: "1.2.3", limit: limit, privacy: privacy)
    }

    /// The machine takes the event; the step is returned as from the control thread.
    mutating func step(_ event: PhoneEvent, at: Instant) -> Happening {
        let before = machine
        return Happening(before: before, event, at: at, effects: machine.handle(event, at: at))
    }

    mutating func write(_ item: EventLogQueue.Item) throws {
        for order in try writer.write(item) {
            switch order {
            case .turnOver: files.append([])
            case .append(let bytes): files[files.count - 1] += bytes
            }
        }
    }

    mutating func record(_ story: [(at: Instant, event: PhoneEvent)]) throws {
        for (at, event) in story { try write(.happening(step(event, at: at))) }
    }

    var text: String { String(decoding: files.joined(), as: UTF8.self) }
}

extension Replay {
    /// A whole file, in chunks of a length.
    static func run(_ file: [UInt8], chunk: Int = 4_096) throws(ReplayError) -> (steps: [Step], verdict: Verdict) {
        var replay = Replay()
        var steps: [Step] = []
        for start in stride(from: 0, to: file.count, by: chunk) {
            try replay.take(Array(file[start..<min(start + chunk, file.count)])) { steps.append($0) }
        }
        return (steps, try replay.finish())
    }
}

extension [Replay.Step] {
    var moments: [Replay.Moment] {
        compactMap { step in
            if case .happened(let moment) = step { moment } else { nil }
        }
    }
}
