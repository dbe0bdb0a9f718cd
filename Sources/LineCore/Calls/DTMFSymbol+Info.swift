extension DTMFSymbol {
    /// Reads the digit, or its number among the events of RFC 4733 §3.2: peers write both.
    init?(written text: some StringProtocol) {
        if text.count == 1, let character = text.first {
            self.init(character)
        } else if text.utf8.count == 2, let event = UInt8(text) {
            self.init(rawValue: event)
        } else {
            return nil
        }
    }
}
