import JSON

/// A page of the signalling messages that a phone remembers, in order.
public struct SignalPage: Sendable {
    public let signals: [ControlSignal]
    /// The label of each signal's account, if it has one.
    public let labels: [String?]
    /// The number for the next query, which gives the messages after this one.
    public let last: Int64
    /// The number of requested messages that the phone had already forgotten.
    public let lost: Int64

    init(_ page: JSONValue) throws(ControlClientError) {
        guard let last = page["last"]?.integer, let lost = page["lost"]?.integer, let all = page["signals"]?.array
        else { throw .malformed("the answer is no page of messages") }
        labels = all.map { $0["label"]?.string }
        signals = all.compactMap { ControlSignal($0) }
        guard signals.count == all.count else { throw .malformed("the answer contains no valid message") }
        (self.last, self.lost) = (last, lost)
    }
}

extension ControlClient {
    /// Fetches the messages after the number `seen`, as many as fit into a page. With 0 it fetches from the oldest one.
    /// - Parameter waits: Whether to wait if there is no new message.
    public func signals(
        after seen: Int64, waits: Bool = false, timeout: Duration = .seconds(10)
    ) throws(ControlClientError) -> SignalPage {
        try SignalPage(
            call("getSignals", ["after": .integer(seen), "wait": .bool(waits)], timeout: timeout))
    }
}
