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

    let version: UInt32
    /// Whether the document lists every call of the number. False: it lists only those that changed.
    let isFull: Bool
    private(set) var entries: [Entry] = []

    /// Nil if the body is not such a document.
    init?(_ body: [UInt8]) {
        do throws(XMLReader.Malformed) {
            var reader = try XMLReader(body)
            guard case .start("dialog-info", let attributes)? = try reader.next(),
                let version = attributes["version"].flatMap({ UInt32($0) })
            else { return nil }
            switch attributes["state"] {
            case "full": isFull = true
            case "partial": isFull = false
            default: return nil
            }
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
                guard entry?.read(path, text: String(text.trimmed)) ?? true else { return false }
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
        guard let id = attributes["id"], !id.isEmpty, id.utf8.count <= 256 else { return nil }
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

    /// - Returns: False for an unknown state.
    fileprivate mutating func read(_ path: [String], text: String) -> Bool {
        guard !text.isEmpty else { return true }
        if path == ["dialog", "remote", "identity"] { remote = remote ?? text }
        guard path == ["dialog", "state"] else { return true }
        guard let state = State(rawValue: text.lowercased()) else { return false }
        self.state = state
        return true
    }
}
