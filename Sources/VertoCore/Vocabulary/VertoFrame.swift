import Base
import JSON

/// A frame for the server. Its description names only its method, because its content may be secret.
public struct VertoFrame: Equatable, Sendable {
    /// The text of the frame. The login's text has the password.
    public let text: Redacted<String>
    private let words: String

    init(_ members: [String: JSONValue]) {
        text = Redacted(JSONValue.object(members).text)
        words = members["method"]?.string ?? members["result"]?["method"]?.string.map { "answer to " + $0 } ?? "answer"
    }

    /// The received text, sent back unchanged.
    init(echo text: String) {
        self.text = Redacted(text)
        words = "echo of a ping"
    }
}

extension VertoFrame: CustomStringConvertible, CustomReflectable {
    public var description: String { words }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
