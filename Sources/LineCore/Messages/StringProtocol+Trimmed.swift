extension StringProtocol where SubSequence == Substring {
    /// The text without white space at its ends.
    var trimmed: Substring {
        lastIndex { !$0.isWhitespace }.map { self[...$0].drop(while: \.isWhitespace) } ?? ""
    }
}
