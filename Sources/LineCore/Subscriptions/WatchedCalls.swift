/// The calls of a watched number, put together from the documents of one subscription (RFC 4235 §4.3).
struct WatchedCalls: Equatable, Sendable {
    enum Reception: Equatable, Sendable {
        case taken
        /// It is older than what is known.
        case outdated
        /// Something before it is missing: a whole document is to be asked for.
        case incomplete
    }

    private var version: UInt32?
    private(set) var entries: [DialogInformation.Entry] = []

    mutating func take(_ information: DialogInformation) -> Reception {
        if information.isFull {
            // Servers that write every document anew count from 0 each time; their order is the dialog's.
            guard version.map({ information.version >= $0 }) ?? true else { return .outdated }
            version = information.version
            entries = []
            merge(information)
            return .taken
        }
        guard let known = version else { return .incomplete }
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

    /// What a lamp shows: what rings comes before what is up, what is talked in before what is held.
    var state: WatchedState {
        if ringing != nil { return .ringing }
        if entries.contains(where: { $0.state != .confirmed || !$0.isHeld }) { return .busy }
        return entries.isEmpty ? .idle : .held
    }

    /// The call that rings there.
    var ringing: DialogInformation.Entry? {
        entries.first { entry in
            switch entry.state {
            case .early, .proceeding, .trying: entry.isInitiator != true
            case .confirmed, .terminated: false
            }
        }
    }
}
