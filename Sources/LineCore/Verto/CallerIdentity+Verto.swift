import Base
import SIPCore
import VertoCore

extension CallerIdentity {
    /// The caller, as the server names it. As over SIP, P-Asserted-Identity vouches for the number; FreeSWITCH's
    /// dialplan writes it. So does the account's server, if it writes callers' numbers itself.
    init(_ call: VertoIncomingCall, _ account: LineConfiguration.Account?, at now: Instant) {
        var said = SIPHeaders()
        for (name, value) in call.statements { said.append(SIPHeaderName(name), value) }
        let claim = CallerClaim(said, isTrusted: true, from: nil, except: .called)
        let caller = call.caller.shown
        let asserted = claim.uri.map { Self.number(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        isWithheld = claim.isWithheld || asserted == nil && caller.isWithheld
        number = isWithheld ? CallerClaim.anonymous : asserted ?? caller.number ?? CallerClaim.anonymous
        let name = claim.displayName?.shown(bytes: Self.nameLimit) ?? caller.name
        displayName = isWithheld || name?.isEmpty == true ? nil : name
        divertedBy = nil
        called = call.callee.number.map { $0.shown(bytes: Self.numberLimit) }
        ids = call.references.names.filter { $0.utf8.count <= Self.idLimit }
        let alerts = said.alerts
        ring = said.ring(alerts)
        wantsAutoAnswer = said.wantsAutoAnswer(alerts)
        verification = claim.verification
        vouched = isWithheld ? nil : account.flatMap { Self.vouched(claim, call.caller, $0) }
        headers = call.headers
        arrived = now
    }

    private static func vouched(
        _ claim: CallerClaim, _ caller: VertoParty, _ account: LineConfiguration.Account
    ) -> AssertedNumber? {
        let asserter = IdentityAsserter.server(
            hosts: [account.domain, account.server.host], alsoByFrom: account.vouchesForFrom)
        guard claim.uri == nil else { return asserter.asserted(claim) }
        guard account.vouchesForFrom, caller.isNumberWhole, let number = caller.number else { return nil }
        let address = number.contains("@") ? number : "\(number)@\(account.domain)"
        guard let uri = try? URI(address.hasPrefix("sip:") ? address : "sip:" + address) else { return nil }
        return asserter.asserted(CallerClaim(SIPHeaders(), isTrusted: true, from: NameAddress(uri), except: nil))
    }
}

extension VertoParty {
    /// The name and number that people may see. A party without a number counts as anonymous.
    var shown: (name: String?, number: String?, isWithheld: Bool) {
        func shown(_ text: String?, _ limit: Int) -> String? {
            guard let text = text?.shown(bytes: limit), !text.isEmpty else { return nil }
            return text
        }
        let name = name == CallerIdentity.nameOfNobody ? nil : name
        let number = shown(number, CallerIdentity.numberLimit)
        return (
            shown(name, CallerIdentity.nameLimit), number,
            number.map { $0.lowercased() == CallerClaim.anonymous } ?? true
        )
    }
}

extension VertoReferences {
    /// The names by which a backend knows the call.
    fileprivate var names: [String] { [control, session, leg].compactMap(\.self) }
}
