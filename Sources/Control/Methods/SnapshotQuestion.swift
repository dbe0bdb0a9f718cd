import Base
import JSON
import PhoneCore
import Platform

/// A query that a snapshot of the phone answers.
enum SnapshotQuestion {
    case everything, network, connection, pendingIncomingCall
    case display(columns: Int, rows: Int)
    case missedCalls(before: CallID?)

    /// The allowed sizes of displays.
    static let columns: ClosedRange<Int64> = 8...80
    static let rows: ClosedRange<Int64> = 2...16

    /// - Parameter faults: Parts of the phone that do not work.
    func answer(
        from snapshot: PhoneSnapshot, at now: Instant, _ host: ControlHost, _ faults: [PhoneFault]
    ) -> JSONValue {
        switch self {
        case .everything:
            .object(
                (snapshot.json(at: now, labels: host.accounts(), host.qrCode).object ?? [:])
                    .merging([
                        "faults": .array(faults.map { .string($0.sentence) }),
                        "faultParts": .array(faults.map { .string($0.part) }),
                        "displays": .object(Self.displays(host, faults, of: snapshot)),
                        "clock": .integer(RealTimeClock.now() / 1_000_000),
                    ]) { $1 })
        case .network:
            [
                "status": .string(snapshot.networkWord), "kind": .string(snapshot.networkKindWord),
                "isCallActive": .bool(snapshot.calls.contains { $0.answered != nil && $0.phase != .disconnecting }),
            ]
        case .connection: ["state": .string(snapshot.connection), "registrations": snapshot.lines(host.accounts())]
        case .pendingIncomingCall: ["summary": snapshot.calls.first { $0.phase == .ringingIn }?.json ?? .null]
        case .display(let columns, let rows):
            snapshot.display?.json(columns: columns, rows: rows, at: now) ?? .null
        case .missedCalls(let before): MissedPage.json(snapshot.missed, before: before)
        }
    }
}

extension SnapshotQuestion {
    /// The display's content by the code of its language. A title that this client must not see is empty in each.
    private static func displays(
        _ host: ControlHost, _ faults: [PhoneFault], of snapshot: PhoneSnapshot
    ) -> [String: JSONValue] {
        let contents = host.displays().map { language, content in
            var content = content
            content.notes += faults.compactMap { $0.notes[language] }
            if snapshot.display?.title.isEmpty == true { content.title = "" }
            return (language.rawValue, JSONValue.object(content.members))
        }
        return Dictionary(uniqueKeysWithValues: contents)
    }
}

/// A page of the missed calls that no person has seen, oldest first.
///
/// No answer has all of them, because their texts come from callers and may be long.
enum MissedPage {
    static let size = 20

    /// - Parameter before: The oldest call of the client's previous page; nil for the newest page.
    static func json(_ missed: [MissedCall], before: CallID?) -> JSONValue {
        let end = before.map { before in missed.firstIndex { $0.call == before } ?? 0 } ?? missed.count
        let page = missed[..<end].suffix(size)
        return ["missed": .array(page.map(\.json)), "more": .bool(page.startIndex > 0)]
    }
}
