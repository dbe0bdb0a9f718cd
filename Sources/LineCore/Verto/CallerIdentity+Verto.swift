import Base
import VertoCore

extension CallerIdentity {
    /// Who calls, as the server says. It is the account's own, and vouches for no number by that alone.
    init(_ call: VertoIncomingCall, at now: Instant) {
        let caller = call.caller.shown
        isWithheld = caller.number == nil
        number = caller.number ?? CallerClaim.anonymous
        displayName = isWithheld ? nil : caller.name
        divertedBy = nil
        called = call.callee.number.map { $0.shown(bytes: Self.numberLimit) }
        ids = call.references.names.filter { $0.utf8.count <= Self.idLimit }
        (ring, wantsAutoAnswer, verification, vouched) = (nil, false, nil, nil)
        headers = call.headers
        arrived = now
    }
}

extension VertoParty {
    /// What people may be shown of it.
    var shown: (name: String?, number: String?) {
        func shown(_ text: String?, _ limit: Int) -> String? {
            guard let text = text?.shown(bytes: limit), !text.isEmpty else { return nil }
            return text
        }
        let name = name == Self.nobody ? nil : name
        return (shown(name, CallerIdentity.nameLimit), shown(number, CallerIdentity.numberLimit))
    }

    /// What FreeSWITCH calls a party without a name to whoever calls it.
    private static let nobody = "Outbound Call"
}

extension VertoReferences {
    /// What a backend calls the call.
    fileprivate var names: [String] { [control, session, leg].compactMap(\.self) }
}
