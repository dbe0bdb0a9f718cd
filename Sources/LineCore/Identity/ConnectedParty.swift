import Base
import SIPCore

/// The far end of a call, as the account's server named it last (RFC 5876 §3, RFC 4916).
struct ConnectedParty: Equatable, Sendable {
    /// For people. `CallerClaim.anonymous` if the far end withholds its number.
    let number: String
    let displayName: String?
    let isWithheld: Bool
    /// Nil: the server does not vouch for the number.
    let vouched: AssertedNumber?
    /// Whether the server asserted it. The far end's own From does not replace an asserted identity.
    let isAsserted: Bool
    /// The far end's tag in the dialog that named it. Each fork of a call has its own tag.
    var tag = ""

    /// Nil: the claim names nobody.
    init?(_ claim: CallerClaim, _ asserter: IdentityAsserter?) {
        let number = claim.uri.map { CallerIdentity.number(of: $0) } ?? ""
        guard claim.isWithheld || !number.isEmpty else { return nil }
        isWithheld = claim.isWithheld
        self.number = isWithheld ? CallerClaim.anonymous : number
        let name = isWithheld ? nil : claim.displayName?.shown(bytes: CallerIdentity.nameLimit)
        // FreeSWITCH uses one of these for a party without a name.
        displayName = name.flatMap { [CallerIdentity.nameOfNobody, number, ""].contains($0) ? nil : $0 }
        vouched = asserter?.asserted(claim)
        isAsserted = claim.isAsserted || vouched != nil
    }

    /// The party that was dialled.
    init(dialled address: URI, tag: String) {
        (number, displayName, isWithheld) = (CallerIdentity.number(of: address), nil, false)
        (vouched, isAsserted, self.tag) = (nil, false, tag)
    }

    var standing: PartyStanding? { isWithheld ? .withheld : vouched.map { .vouched($0) } }

    /// Whether both would look the same to a person.
    func isShown(as other: ConnectedParty) -> Bool {
        number == other.number && isWithheld == other.isWithheld && vouched?.domain == other.vouched?.domain
            && (displayName ?? other.displayName) == other.displayName
    }
}
