/// Selects the messages to show. A criterion that is nil is not applied.
public struct SignalFilter: Equatable, Sendable {
    /// The Call-ID or its beginning.
    public var callID: String?
    public var account: String?
    /// The method of requests, and of the requests that responses answer. Case does not matter.
    public var method: String?
    /// The address of the far end, with or without a port.
    public var peer: String?

    public init(callID: String? = nil, account: String? = nil, method: String? = nil, peer: String? = nil) {
        self.callID = callID
        self.account = account
        self.method = method
        self.peer = peer
    }

    public func admits(_ signal: TracedSignal) -> Bool {
        let reading = SignalReading(signal.message)
        let isWanted = [
            callID.map { reading.callID.hasPrefix($0) },
            account.map { signal.account == $0 },
            method.map { reading.method.lowercased() == $0.lowercased() },
            peer.map { [signal.remote.host, signal.remote.text].contains($0) },
        ]
        return isWanted.allSatisfy { $0 ?? true }
    }
}
