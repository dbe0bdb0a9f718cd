import VertoCore

/// What another process needs to end a call whose own process is gone: the call and its session.
///
///     verto 1 <session> <call>
struct VertoMemo: Equatable, Sendable {
    private static let version = ["verto", "1"]

    let session: String
    let call: VertoCallID

    init(session: String, call: VertoCallID) { (self.session, self.call) = (session, call) }

    /// Reads the output of `text`. Nil for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 4, Array(words.prefix(2)) == Self.version, let call = VertoCallID(words[3]) else {
            return nil
        }
        self.init(session: words[2], call: call)
    }

    var text: String { (Self.version + [session, call.rawValue]).joined(separator: " ") }
}
