/// The person at the telephone, who answers the questions of `offhook board`.
package protocol BoardPerson {
    func say(_ text: String) throws
    /// Prints the text and leaves the cursor after it.
    func prompt(_ text: String) throws
    /// The typed line; nil: none within that time.
    /// - Throws: When the input has ended, or a signal asks the program to end.
    func typed(within time: Duration) throws -> String?
    /// Waits, and ignores everything typed during that time.
    /// - Throws: When a signal asks the program to end.
    func pause(for time: Duration) throws
}

extension BoardPerson {
    /// - Parameter usual: The default answer, for Enter. It is shown.
    func ask(_ text: String, usual: String = "") throws -> String {
        try say(text)
        try prompt(usual.isEmpty ? "> " : "[\(usual)] > ")
        while true {
            guard let typed = try typed(within: .seconds(1)) else { continue }
            let words = typed.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
            return words.isEmpty ? usual : words
        }
    }

    /// Asks until the answer is one of these words.
    func choose(_ text: String, usual: String, _ words: [String] = ["yes", "no"]) throws -> String {
        var question = text
        while true {
            let answer = try ask("\(question) (\(words.joined(separator: ", ")))", usual: usual).lowercased()
            if let word = words.first(where: { $0 == answer || String($0.prefix(1)) == answer }) { return word }
            question = "Please answer with one of these words:"
        }
    }

    func confirm(_ text: String, usual: Bool) throws -> Bool { try choose(text, usual: usual ? "yes" : "no") == "yes" }
}
