/// The person before the telephone, whom a command of `offhook board` asks.
package protocol BoardPerson {
    func say(_ text: String) throws
    /// Says it and leaves the cursor behind it.
    func prompt(_ text: String) throws
    /// What was typed; nil: nothing within that time.
    /// - Throws: When the input has ended, or the program was asked to end.
    func typed(within time: Duration) throws -> String?
    /// Waits, however much is typed meanwhile.
    /// - Throws: When the program was asked to end.
    func pause(for time: Duration) throws
}

extension BoardPerson {
    /// - Parameter usual: What Enter means; it is shown.
    func ask(_ text: String, usual: String = "") throws -> String {
        try say(text)
        try prompt(usual.isEmpty ? "> " : "[\(usual)] > ")
        while true {
            guard let typed = try typed(within: .seconds(1)) else { continue }
            let words = typed.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
            return words.isEmpty ? usual : words
        }
    }

    /// Asks until the answer is yes, no, or one of these words.
    func choose(_ text: String, usual: String, _ words: [String] = ["yes", "no"]) throws -> String {
        var question = text
        while true {
            let answer = try ask("\(question) (\(words.joined(separator: ", ")))", usual: usual).lowercased()
            if let word = words.first(where: { $0 == answer || String($0.prefix(1)) == answer }) { return word }
            question = "Please answer with one of these words."
        }
    }

    func confirm(_ text: String, usual: Bool) throws -> Bool { try choose(text, usual: usual ? "yes" : "no") == "yes" }
}
