import Base

/// The state of a watched number's phones, as the server reports it in one document (RFC 4235 §4.1).
struct DialogInformation: Equatable, Sendable {
    /// One call of the watched number, from its own point of view.
    struct Entry: Equatable, Sendable {
        enum State: String, Sendable { case trying, proceeding, early, confirmed, terminated }

        let id: String
        var state = State.trying
        /// Whether the watched number placed the call. Nil: not given.
        var isInitiator: Bool?
        var callID: String?
        var localTag: String?
        var remoteTag: String?
        /// The address of the other end of the call: its target, else its identity.
        var remote: String?
        /// Whether the watched phone does not render the call's media (RFC 4235 §4.1.6.2 `+sip.rendering`). This counts
        /// in every state, because FreeSWITCH writes `early` for a held call.
        var isHeld = false
        /// The address at which the server connects to this call. Nil: only `remote` is known.
        var remoteTarget: String?
    }

    static let package = "dialog"
    static let mediaType = "application/dialog-info+xml"
    static let mostEntries = 64

    /// 0 in a full document that gives none.
    let version: UInt64
    /// Whether the document lists every call of the number. False: it lists only those that changed.
    let isFull: Bool
    private(set) var entries: [Entry] = []

    /// Nil if the body is not such a document.
    init?(_ body: [UInt8]) {
        do throws(XMLReader.Malformed) {
            var reader = try XMLReader(body)
            guard case .start("dialog-info", let attributes)? = try reader.next(), !attributes.isEmpty else {
                return nil
            }
            switch attributes["state"] {
            case "full", nil: isFull = true
            case "partial": isFull = false
            default: return nil
            }
            // Only the order of partial documents depends on it.
            guard let version = attributes["version"].flatMap({ UInt64($0) }) ?? (isFull ? 0 : nil) else { return nil }
            self.version = version
            guard try read(&reader) else { return nil }
        } catch {
            return nil
        }
    }

    /// - Returns: False for an invalid call.
    private mutating func read(_ reader: inout XMLReader) throws(XMLReader.Malformed) -> Bool {
        var path: [String] = []
        var entry: Entry?
        while let part = try reader.next() {
            switch part {
            case .start(let name, let attributes):
                path.append(name)
                if path == ["dialog"] {
                    guard entries.count < Self.mostEntries, let next = Entry(attributes) else { return false }
                    entry = next
                } else {
                    entry?.read(path, attributes)
                }
            case .text(let text):
                entry?.read(path, text: String(text.trimmed))
            case .end:
                if path == ["dialog"], let done = entry {
                    entries.append(done)
                    entry = nil
                }
                _ = path.popLast()
            }
        }
        return true
    }
}

extension DialogInformation.Entry {
    fileprivate init?(_ attributes: [String: String]) {
        // A server with one call for each number may leave out its name.
        let id = attributes["id"] ?? attributes["call-id"] ?? ""
        guard id.utf8.count <= 256 else { return nil }
        self.init(id: id)
        isInitiator = attributes["direction"].map { $0 == "initiator" }
        callID = attributes["call-id"]
        localTag = attributes["local-tag"]
        remoteTag = attributes["remote-tag"]
    }

    fileprivate mutating func read(_ path: [String], _ attributes: [String: String]) {
        if path == ["dialog", "remote", "target"] {
            remoteTarget = attributes["uri"] ?? remoteTarget
            remote = remoteTarget ?? remote
        }
        if path == ["dialog", "local", "target", "param"], attributes["pname"]?.lowercased() == "+sip.rendering" {
            // Asterisk and FreeSWITCH name the attribute as the text of RFC 4235 §4.1.6.2 does, and not as its schema
            // does.
            isHeld = (attributes["pval"] ?? attributes["pvalue"])?.lowercased() == "no"
        }
    }

    /// An unknown state shows that there is a call.
    fileprivate mutating func read(_ path: [String], text: String) {
        guard !text.isEmpty else { return }
        if path == ["dialog", "remote", "identity"] { remote = remote ?? text }
        if path == ["dialog", "state"] { state = State(rawValue: text.lowercased()) ?? .confirmed }
    }
}

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
