import Base
import VertoCore

extension CallerIdentity {
    /// Who calls, as the server says. It is the account's own, and vouches for no number by that alone.
    init(_ call: VertoIncomingCall, at now: Instant) {
        let number = (call.caller.number ?? "").shown(bytes: Self.numberLimit)
        isWithheld = number.isEmpty
        self.number = number.isEmpty ? CallerClaim.anonymous : number
        let name = (call.caller.name ?? "").shown(bytes: Self.nameLimit)
        displayName = name.isEmpty || number.isEmpty ? nil : name
        divertedBy = nil
        called = call.callee.number.map { $0.shown(bytes: Self.numberLimit) }
        ids = call.references.names.filter { $0.utf8.count <= Self.idLimit }
        (ring, wantsAutoAnswer, verification, vouched) = (nil, false, nil, nil)
        headers = Array(call.headers.prefix(CallPresentation.headerLimit))
        arrived = now
    }
}

extension VertoReferences {
    /// What a backend calls the call.
    fileprivate var names: [String] { [control, session, leg].compactMap(\.self) }
}
