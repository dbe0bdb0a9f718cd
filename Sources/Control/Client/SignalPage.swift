/// Some of the messages that a phone remembers, in their order.
public struct SignalPage: Sendable {
    public let signals: [ControlSignal]
    /// By signal: what people call its account, where it has a name.
    public let labels: [String?]
    /// What to ask for next time: messages after this one.
    public let last: Int64
    /// How many of those that were asked for the phone had forgotten.
    public let lost: Int64

    init(_ page: JSONValue) throws(ControlClientError) {
        guard let last = page["last"]?.integer, let lost = page["lost"]?.integer, let all = page["signals"]?.array
        else { throw .malformed("no page of messages") }
        labels = all.map { $0["label"]?.string }
        signals = all.compactMap { ControlSignal($0) }
        guard signals.count == all.count else { throw .malformed("no message of a line") }
        (self.last, self.lost) = (last, lost)
    }
}

extension ControlClient {
    /// The messages after one that was seen; 0 for all that the phone remembers, as many as fit a page.
    /// - Parameter waits: For the next one, where there is none.
    public func signals(
        after seen: Int64, waits: Bool = false, timeout: Duration = .seconds(10)
    ) throws(ControlClientError) -> SignalPage {
        try SignalPage(
            call("getSignals", ["after": .integer(seen), "wait": .bool(waits)], timeout: timeout))
    }
}
