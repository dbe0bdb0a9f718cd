/// One question, as a terminal asks it.
package struct SetupQuestion: Equatable, Sendable {
    package struct Choice: Equatable, Sendable {
        /// The answer.
        package let value: String
        /// What it means.
        package let words: String

        package init(_ value: String, _ words: String) { (self.value, self.words) = (value, words) }
    }

    package let key: SetupKey
    package let text: String
    package var choices: [Choice] = []
    /// Whether other answers than the choices are taken, too.
    package var isOpen = true
    /// The answer of whoever only presses Enter; nil: there is none.
    package var usual: String?

    /// Whether a choice may be answered by its place in the list. A number to be called is no place.
    package var isNumbered: Bool { key != .testCall }
    /// The answer is not shown while it is typed.
    package var isSecret: Bool { key == .password }
}
