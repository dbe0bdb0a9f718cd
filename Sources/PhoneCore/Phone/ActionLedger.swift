import Base

/// The actions that were requested and are not settled yet. Each entry is removed exactly once, with its outcome.
///
/// A call has at most one entry of each kind: a second request is refused while the first is pending. The number of
/// calls is limited, and so is the number of entries.
struct ActionLedger: Equatable, Codable, Sendable {
    enum Kind: Equatable, Codable, Sendable {
        case answer, start, end, hold, resume, transfer, startRecording, stopRecording, startPlayback
    }

    struct Entry: Equatable, Codable, Sendable {
        let id: ActionID
        let kind: Kind
        let call: CallID
        var due: Instant
    }

    private(set) var entries: [Entry] = []

    func contains(_ id: ActionID) -> Bool { entries.contains { $0.id == id } }
    func contains(_ kind: Kind) -> Bool { entries.contains { $0.kind == kind } }

    mutating func begin(_ entry: Entry) { entries.append(entry) }

    /// Gives this call's action of one kind more time.
    mutating func extend(_ kind: Kind, of call: CallID, to due: Instant) {
        guard let index = entries.firstIndex(where: { $0.kind == kind && $0.call == call }) else { return }
        entries[index].due = max(entries[index].due, due)
    }

    /// Removes this call's action of one kind.
    mutating func take(_ kind: Kind, of call: CallID) -> ActionID? {
        guard let index = entries.firstIndex(where: { $0.kind == kind && $0.call == call }) else { return nil }
        return entries.remove(at: index).id
    }

    /// Removes all actions of this call, except its end, which is being carried out.
    mutating func takeAllButEnd(of call: CallID) -> [ActionID] {
        let taken = entries.filter { $0.call == call && $0.kind != .end }.map(\.id)
        entries.removeAll { $0.call == call && $0.kind != .end }
        return taken
    }
}
