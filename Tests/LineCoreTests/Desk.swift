import Base
import LineCore
import SIPCore

/// A line that is registered at a server and watches number 200 there.
struct Desk {
    var world = World()

    /// - Parameter refusal: What the server answers to SUBSCRIBE.
    init(watches: [SubscriptionTarget] = [.number("200")], refusal: Int? = nil) {
        var configuration = RegistrationTests.account()
        configuration.watches = watches
        world.server = TestServer()
        world.server?.refusal = refusal
        world.add(configuration)
        world.run(.seconds(2))
    }

    /// Every SUBSCRIBE that the server saw.
    var subscribes: [SIPRequest] { world.server?.requests.filter { $0.method == .subscribe } ?? [] }

    /// The reported states of the number's lamp.
    var states: [WatchedState] {
        world.outputs(0).compactMap {
            if case .event(.watched(WatchedNumber("200", account: .direct), let state)) = $0 { state } else { nil }
        }
    }

    /// The statuses that the server got.
    var answers: [Int] {
        world.heard.compactMap { bytes in
            guard case .response(let response)? = try? SIPMessage(bytes.span) else { return nil }
            return response.status.code
        }
    }

    /// The server sends NOTIFY in the dialog of the last SUBSCRIBE.
    mutating func notify(
        _ body: String, event: String = "dialog", state: String? = "active;expires=600",
        type: String = "application/dialog-info+xml", sequence: UInt32 = 1, tag: String = "server",
        from peer: Flow.Endpoint = World.serverEndpoint
    ) {
        guard let last = subscribes.last, let own = try? last.headers.from else { return }
        let callID = last.headers[.callID] ?? ""
        let stranger = Stranger(peer, callID: callID)
        var request = stranger.request(
            .notify, sequence: sequence, branch: "z9hG4bK-\(callID)-\(sequence)", body: body,
            extra: [(.event, event), (.contentType, type)])
        request.headers[.subscriptionState] = state
        request.headers.set(.to, own)
        request.headers[.from] = "<sip:200@server.example>;tag=\(tag)"
        world.receive(request.bytes, from: stranger)
    }
}
