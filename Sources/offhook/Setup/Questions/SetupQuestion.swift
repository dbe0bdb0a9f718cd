import Vault

/// One question at a terminal.
package struct SetupQuestion: Equatable, Sendable {
    package struct Choice: Equatable, Sendable {
        /// The answer.
        package let value: String
        /// The meaning of the answer.
        package let words: String

        package init(_ value: String, _ words: String) { (self.value, self.words) = (value, words) }
    }

    package let key: SetupKey
    package let text: String
    package var choices: [Choice] = []
    /// Whether answers other than the choices are allowed.
    package var isOpen = true
    /// The answer for Enter; nil: there is no default.
    package var usual: String?

    /// Whether a choice may be given by its place in the list. For a test call, a number is the number to call.
    package var isNumbered: Bool { key != .testCall }
    /// The longest secret, in bytes.
    var longestSecret: Int { key == .token ? Account.tokenLimit : SecretInput.longest }
    /// Whether to hide the answer while it is typed.
    package var isSecret: Bool { SetupKey.secrets.contains(key) }
}
