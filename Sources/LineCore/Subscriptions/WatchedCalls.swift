/// The calls of a watched number, assembled from the documents of one subscription (RFC 4235 §4.3).
struct WatchedCalls: Equatable, Sendable {
    enum Reception: Equatable, Sendable {
        case taken
        /// The document is older than the known state.
        case outdated
        /// A document before this one is missing, so we need a full document.
        case incomplete
    }

    private var version: UInt64?
    private(set) var entries: [DialogInformation.Entry] = []

    /// Documents arrive in the order of the dialog's CSeq, so a full one is always the latest. Its version may be lower
    /// than before: some servers give each document version 0, and a restarted server counts from the start.
    mutating func take(_ information: DialogInformation) -> Reception {
        if information.isFull {
            version = information.version
            entries = []
            merge(information)
            return .taken
        }
        guard let known = version, information.version >= known else { return .incomplete }
        guard information.version > known else { return .outdated }
        version = information.version
        merge(information)
        return information.version == known + 1 ? .taken : .incomplete
    }

    private mutating func merge(_ information: DialogInformation) {
        for entry in information.entries {
            entries.removeAll { $0.id == entry.id }
            if entry.state != .terminated, entries.count < DialogInformation.mostEntries { entries.append(entry) }
        }
    }

    /// The state for a lamp.
    var state: WatchedState { WatchedState(entries.map(\.call)) }

    /// The call that rings at the number.
    var ringing: DialogInformation.Entry? { entries.first { $0.call == .ringing } }
}

extension DialogInformation.Entry {
    fileprivate var call: WatchedState.Call {
        guard !isHeld else { return .held }
        switch state {
        case .early, .proceeding, .trying: return isInitiator == true ? .busy : .ringing
        case .confirmed, .terminated: return .busy
        }
    }
}
