import Base

/// Answers the questions: a person at a terminal, or a file.
protocol SetupAsker {
    /// Whether a person is there to hear and answer.
    var isPerson: Bool { get }
    /// - Parameter why: Why the previous answer was rejected.
    func answer(to question: SetupQuestion, refused why: SetupRefusal?) throws -> String
    /// Nil: an empty answer, which means that the server needs no password.
    /// - Parameter why: Why the previous answer was rejected.
    func secret(_ question: SetupQuestion, refused why: SetupRefusal?) throws -> Redacted<String>?
    func passphrase() throws -> Redacted<String>
    /// Asks for consent.
    func confirm(_ text: String) throws -> Bool
}
