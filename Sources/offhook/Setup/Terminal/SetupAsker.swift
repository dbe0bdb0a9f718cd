import Base

/// Who answers the questions: a person at a terminal, or a file.
protocol SetupAsker {
    /// Whether a person listens and speaks.
    var isPerson: Bool { get }
    /// - Parameter why: Why the answer before was not taken.
    func answer(to question: SetupQuestion, refused why: SetupRefusal?) throws -> String
    /// Nil: the server asks for no password.
    func password(_ question: SetupQuestion) throws -> Redacted<String>?
    func passphrase() throws -> Redacted<String>
    /// Whether to do it.
    func confirm(_ text: String) throws -> Bool
}
