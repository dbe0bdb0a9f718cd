/// A fault that is planted between machine and world, to prove that the Simulator finds it.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// Now and then a call's end is reported and recorded twice.
    case doubleEnd
    /// Now and then the outcome of an action is lost: its requester waits forever.
    case leakedGuard
    /// Now and then voice is turned on after the call has released its sound.
    case lateActivation
    /// Now and then the bell is not silenced when another phone took the call.
    case ringAfterElsewhere
    /// A caller whose call a line has just refused is refused again, without a report.
    case refusesUnseen
    /// Now and then a deadline is not armed.
    case lostDeadline
    /// Every sender at the server's host is trusted.
    case believesAddress
    /// The server's address and port are enough, on any transport.
    case believesTransport
    /// Every sender that knows a dialog is trusted.
    case believesDialog
    /// Every sender that knows a branch is trusted.
    case believesBranch
    /// A weak challenge counts as a strong one.
    case weakProof
    /// A transfer target is called without asking.
    case followsReferral
    /// Every caller has the rights of a listed one.
    case anybodyIsListed
    /// A number is the same in every domain.
    case forgetsDomain
    /// Every caller counts as verified.
    case verifiesAnybody
    /// Wrong codes are not counted, and never lock.
    case neverLocks
    /// An automatically answered call gets voice before its caller's ACK.
    case speaksBeforeACK
    /// Voice goes to the former call's destination.
    case crossesVoice
    /// A call whose terms change loses its protection.
    case dropsProtection

    /// Faults that only an enemy exposes.
    package static let forEnemies: Set<PlantedBug> = [
        .believesAddress, .believesTransport, .believesDialog, .believesBranch, .weakProof, .followsReferral,
        .anybodyIsListed, .forgetsDomain, .verifiesAnybody, .neverLocks, .speaksBeforeACK, .crossesVoice,
        .dropsProtection,
    ]
}
