import Base
import VertoCore

/// Shows texts of other users, and of the far ends of calls.
extension VertoLine {
    mutating func show(_ text: VertoText, at now: Instant) {
        guard let shown = texts.receive(text.body, at: now) else { return }
        let party = text.call.flatMap { leg(of: $0) }.flatMap { legs[$0]?.party }
        let sender = text.from.map { VertoParty(number: $0) } ?? party ?? VertoParty()
        let caller = CallerIdentity(VertoIncomingCall(sdp: "", caller: sender), nil, at: now)
        outputs.append(.text(caller, shown))
    }
}
