import JSON
import LineCore
import SDPCore
import Testing

/// A server that reattaches calls.
extension VertoGround {
    /// The last request of this method that left with the last input.
    func request(_ method: String) -> JSONValue? {
        frames.last { $0["method"]?.string == "telnyx_rtc." + method }
    }

    static func description(_ request: JSONValue?) throws -> SessionDescription {
        try SessionDescription(parsing: Array(try #require(request?["params"]?["sdp"]?.string).utf8))
    }

    func renegotiated(_ leg: CallID) -> NegotiatedMedia? {
        outputs.lazy.compactMap { if case .event(.renegotiated(leg, let agreed, _)) = $0 { agreed } else { nil } }.first
    }

    /// The server has new media, and offers them.
    mutating func offer(_ method: String, _ call: JSONValue, as letter: Character = "n") throws {
        far = MediaNegotiation(
            capabilities: Self.capabilities, local: .init(host: "203.0.113.9", port: 9_100),
            ice: try Self.candidates(letter, 9_100), using: &generator)
        let offer = far.offer(held: false, using: &generator)
        ask(method, ["callID": call, "sdp": Self.text(offer)])
    }

    /// The line has another connection, over which the server reattaches the call.
    mutating func giveBack(
        _ call: JSONValue, by method: String = "attach", as letter: Character = "n"
    ) throws {
        try comeBack(with: call)
        try offer(method, call, as: letter)
    }

    mutating func confirmAttachment(_ request: JSONValue?) throws {
        if far.isOffering { _ = try far.conclude(Self.description(request)) }
        say(["jsonrpc": "2.0", "id": try #require(request?["id"]), "result": [:]])
    }
}
