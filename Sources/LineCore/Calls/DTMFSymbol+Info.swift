extension DTMFSymbol {
    /// Reads the digit itself, or its event code of RFC 4733 §3.2. Peers write both.
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
