extension StringProtocol where SubSequence == Substring {
    /// Without white space around it.
    var trimmed: Substring {
        lastIndex { !$0.isWhitespace }.map { self[...$0].drop(while: \.isWhitespace) } ?? ""
    }
}
