import Base
import SIPCore

/// Handles far ends that redirect our call (RFC 3261 §8.1.3.4).
///
/// Nothing is sent to an address that they name before the line's user agrees, because a call costs money and is made
/// in the account's name.
extension LineMachine {
    /// The statuses that we follow: they name other addresses of the called party. Status 305 names a proxy, so any
    /// unknown far end could route our calls through its host. Status 380 describes alternatives in a body, which no
    /// person here would read.
    private static let redirections = 300...302

    /// Asks the user about the next address, if this response or an earlier one named one.
    mutating func follow(_ response: SIPResponse, _ id: LegID, _ inviting: Leg.Inviting, at now: Instant) -> Bool {
        guard !response.status.isGlobal else { return false }
        var invitation = inviting.invitation
        if configuration.followsRedirections, Self.redirections.contains(response.status.code) {
            for contact in (try? response.headers.contacts) ?? [] {
                guard let address = target(of: contact.uri), isAtHome(address) else { continue }
                invitation.targets.add(address, preference: contact.preference ?? 1)
            }
        }
        let end = LegEnd(rejectedWith: response.status, (try? response.headers.reasons) ?? [])
        return inviteElsewhere(id, invitation, orEnd: end, at: now)
    }

    /// Takes the next known address, and asks whether it may be called.
    /// - Parameter end: How the call ends if it may not.
    mutating func inviteElsewhere(_ id: LegID, _ invitation: Leg.Invitation, orEnd end: LegEnd, at now: Instant) -> Bool
    {
        var invitation = invitation
        guard !isShuttingDown, invitation.targets.advance() else { return false }
        invitation.endUnlessAgreed = end
        legs[id] = .locating(invitation)
        timers.set(.redirection(id), at: now + context.timers.timeout)
        outputs.append(.redirected(id, to: shownTarget(invitation.targets.current)))
        return true
    }

    /// The line's user has decided, or did not decide in time. The next attempt is a new INVITE, which shares only its
    /// To with the first one.
    mutating func redirect(_ id: LegID, _ isWanted: Bool, at now: Instant) {
        guard case .locating(var invitation) = legs[id], let end = invitation.endUnlessAgreed else { return }
        guard isWanted else { return finish(id, end, at: now) }
        timers.cancel(.redirection(id))
        invitation.endUnlessAgreed = nil
        legs[id] = .locating(invitation)
        send(.invite(id), to: hop(of: invitation), at: now)
    }
}
