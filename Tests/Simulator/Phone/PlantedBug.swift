/// A fault that is put between machine and world on purpose, to see that the Simulator finds it.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// Now and then a call's end is told and recorded twice.
    case doubleEnd
    /// Now and then the outcome of an action is lost: whoever asked waits for ever.
    case leakedGuard
    /// Now and then voice is turned on when the call has released its sound already.
    case lateActivation
    /// Now and then the bell is not silenced when another phone took the call.
    case ringAfterElsewhere
    /// A caller whose call a line refused a moment ago is refused again, and nobody hears of it.
    case refusesUnseen
    /// Now and then a deadline is not armed.
    case lostDeadline
    /// Whoever writes from the server's host is believed.
    case believesAddress
    /// The server's address and port are enough, whatever the transport.
    case believesTransport
    /// Whoever knows a dialog is believed.
    case believesDialog
    /// Whoever knows a branch is believed.
    case believesBranch
    /// A challenge that is too weak is taken for a strong one.
    case weakProof
    /// Somebody whom a far end names is called, and nobody is asked.
    case followsReferral
    /// Whoever calls has the rights of somebody who is listed.
    case anybodyIsListed
    /// A number is the same in every domain.
    case forgetsDomain
    /// Whoever calls is verified.
    case verifiesAnybody
    /// Wrong codes are not counted, and lock nothing.
    case neverLocks
    /// A call that nobody answered gets voice before its caller has shown that it is there.
    case speaksBeforeACK
    /// Voice goes where that of the call before went.
    case crossesVoice
    /// A call whose terms change loses its protection.
    case dropsProtection

    /// Bugs that nobody but an enemy brings to light.
    package static let forEnemies: Set<PlantedBug> = [
        .believesAddress, .believesTransport, .believesDialog, .believesBranch, .weakProof, .followsReferral,
        .anybodyIsListed, .forgetsDomain, .verifiesAnybody, .neverLocks, .speaksBeforeACK, .crossesVoice,
        .dropsProtection,
    ]
}
