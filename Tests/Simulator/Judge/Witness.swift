import PhoneCore

/// The server's messages to a phone for the judges of one phone, by the phone's names of its calls.
struct Witness: Sendable {
    var testimony: Testimony
    /// The Call-IDs of the line's calls.
    var callIDs: [CallID: String] = [:]
    /// Calls that the phone named before a line offered them, by their leg.
    private var legs: [CallID: CallID] = [:]

    init(_ testimony: Testimony) { self.testimony = testimony }

    /// The leg of a call is known when both ends agree: the media connected then belong to the call.
    mutating func take(_ event: PhoneEvent, _ effects: [PhoneEffect]) {
        guard case .line(.answered(let leg, _)) = event else { return }
        for effect in effects { if case .media(.connect(let call, _)) = effect { legs[call] = leg } }
    }

    /// Nil: no line has shown yet which leg it is.
    func leg(of call: CallID) -> CallID? { legs[call] ?? (call.origin == .info ? nil : call) }

    func call(ofLeg leg: CallID) -> Testimony.Call? { callIDs[leg].flatMap { testimony.calls[$0] } }
}
