import PhoneCore

extension CallPresentation {
    /// How a call presents itself. Headers appear by name only.
    var words: String {
        var words: [String] = []
        if callerName != nil || callerNumber != nil {
            words.append("as " + [callerName, callerNumber].compactMap(\.self).joined(separator: ", "))
        }
        if !headers.isEmpty { words.append("with " + headers.map(\.name).joined(separator: ", ")) }
        return words.map { "; " + $0 }.joined()
    }
}
