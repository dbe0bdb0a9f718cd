import PhoneCore

extension CallPresentation {
    /// What a call shows, after what it is. Headers by their names.
    var words: String {
        var words: [String] = []
        if callerName != nil || callerNumber != nil {
            words.append("as " + [callerName, callerNumber].compactMap(\.self).joined(separator: ", "))
        }
        if !headers.isEmpty { words.append("with " + headers.map(\.name).joined(separator: ", ")) }
        return words.map { "; " + $0 }.joined()
    }
}
