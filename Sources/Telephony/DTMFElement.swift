/// One element of a sequence of digits to send: a symbol, or a comma for a pause of `DTMFTiming.pause`.
public enum DTMFElement: Hashable, Codable, Sendable {
    case symbol(DTMFSymbol)
    case pause

    public init?(_ character: Character) {
        if character == "," {
            self = .pause
        } else if let symbol = DTMFSymbol(character) {
            self = .symbol(symbol)
        } else {
            return nil
        }
    }
}
