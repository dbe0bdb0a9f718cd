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
        let number = claim.uri.map { Caller.number(of: $0) } ?? ""
        guard claim.isWithheld || !number.isEmpty else { return nil }
        isWithheld = claim.isWithheld
        self.number = isWithheld ? CallerClaim.anonymous : number
        let name = isWithheld ? nil : claim.displayName?.shown(bytes: Caller.nameLimit)
        // FreeSWITCH uses one of these for a party without a name.
        displayName = name.flatMap { [Caller.nameOfNobody, number, ""].contains($0) ? nil : $0 }
        vouched = asserter?.asserted(claim)
        isAsserted = claim.isAsserted || vouched != nil
    }

    /// The party that was dialled.
    init(dialled address: URI, tag: String) {
        (number, displayName, isWithheld) = (Caller.number(of: address), nil, false)
        (vouched, isAsserted, self.tag) = (nil, false, tag)
    }

    var standing: PartyStanding? { isWithheld ? .withheld : vouched.map { .vouched($0) } }

    /// Whether both would look the same to a person.
    func isShown(as other: ConnectedParty) -> Bool {
        number == other.number && isWithheld == other.isWithheld && vouched?.domain == other.vouched?.domain
            && (displayName ?? other.displayName) == other.displayName
    }
}

/// Connected identity: the far end of a call as it is now (RFC 3325 §9.1 with RFC 5876 §3, RFC 4916).
///
/// A PBX reports it when it transfers a call, when another phone picks the call up, or when a group answers. It counts
/// only over the flow of the account's own server, because anybody else can write any identity.
extension LineMachine {
    /// Remembers the identity that a far end's call showed at its begin.
    mutating func remember(_ request: SIPRequest, _ id: CallID, over flow: Flow) {
        guard configuration.account != nil, isOwnServer(flow) else { return }
        parties[id] = ConnectedParty(CallerClaim(request.headers, isTrusted: true), asserter(over: flow))
    }

    /// Handles a re-INVITE or an UPDATE in a call.
    mutating func identify(_ id: CallID, by request: SIPRequest, over flow: Flow) {
        guard configuration.account != nil, isOwnServer(flow), legs[id]?.isLeaving == false else { return }
        let changed = changedFrom(request, in: id)
        let claim = CallerClaim(request.headers, isTrusted: true, from: changed, except: nil)
        guard let party = ConnectedParty(claim, asserter(over: flow)) else { return }
        guard let known = parties[id], known.isAsserted, !party.isAsserted, !party.isWithheld else {
            return report(party, in: id)
        }
        // Only the far end names another party, and not the server. That ends rights, and changes nothing that is
        // shown.
        guard party.number != known.number else { return }
        outputs.append(.event(.displayUpdated(id, name: nil, number: nil, standing: .doubted)))
    }

    /// Handles a provisional response or a 2xx to our INVITE, re-INVITE or UPDATE.
    mutating func identify(_ id: CallID, by response: SIPResponse, over flow: Flow) {
        guard configuration.account != nil, isOwnServer(flow), response.status != .trying else { return }
        let tag = (try? response.headers.to.tag) ?? ""
        switch legs[id] {
        case .inviting: break
        case .established(let established) where established.dialog.id.remoteTag == tag: break
        case nil, .locating, .offered, .established, .leaving: return
        }
        // FreeSWITCH marks the far end as `calling` in its responses, too. Other servers repeat our own address there.
        let claim = CallerClaim(response.headers, isTrusted: true, from: nil, except: nil)
        guard let uri = claim.uri, uri.number != configuration.user,
            var party = ConnectedParty(claim, asserter(over: flow))
        else { return forgetFork(id, unlessIn: tag, response) }
        party.tag = tag
        guard parties[id]?.isAsserted != true || party.isAsserted || party.isWithheld else { return }
        report(party, in: id)
    }

    private mutating func report(_ party: ConnectedParty, in id: CallID) {
        let known = parties[id]
        parties[id] = party
        if let known, party.isShown(as: known) { return }
        outputs.append(
            .event(.displayUpdated(id, name: party.displayName, number: party.number, standing: party.standing)))
    }

    /// Shows the dialled number if the phone that answers is another one than the phone that was shown.
    private mutating func forgetFork(_ id: CallID, unlessIn tag: String, _ response: SIPResponse) {
        guard case .inviting(let inviting) = legs[id], response.status.isSuccess, let known = parties[id],
            known.tag != tag
        else { return }
        report(ConnectedParty(dialled: inviting.invitation.targets.dialled, tag: tag), in: id)
    }

    /// The From of a request, if the far end had another one before. A call that began anonymously keeps its From, so
    /// an unchanged From says nothing about the next party.
    private func changedFrom(_ request: SIPRequest, in id: CallID) -> NameAddress? {
        guard let from = try? request.headers.from else { return nil }
        let before: NameAddress? =
            switch legs[id] {
            case .inviting(let inviting): from.tag.flatMap { inviting.early[$0]?.dialog.remote }
            case nil, .locating, .offered, .established, .leaving: legs[id]?.dialog?.remote
            }
        guard let before, before.uri.number == from.uri.number else { return from }
        // A new name alone does not replace the identity from the server.
        return before.displayName == from.displayName || parties[id]?.isAsserted == true ? nil : from
    }
}
