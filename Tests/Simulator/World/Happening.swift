import Base
import PhoneCore
import SIPCore

/// What comes up in the agenda.
enum Happening: Sendable {
    case datagram(Datagram)
    /// Something is due, by itself.
    case machineDue(Int)
    case lineDue(Int)
    case panelDue(Int)
    case proxyDue
    /// A phone is told something, if the process still lives that it was meant for.
    case event(Int, life: UInt32, PhoneEvent)
    case mediaCheck(MediaPlane.Check)
    case fork(ServerTransactionID, [String])
    case refuse(ServerTransactionID)
    /// A gateway offers the call first in a way that no phone takes.
    case misoffer(ServerTransactionID, [String])
    case message(Backend.Message)
    // People.
    case wish
    /// The enemy does something, and a message of his arrives.
    case attack
    case forged(Datagram)
    case look(Int)
    case deed(Int, Person.Act)
    case rogue
    // Faults.
    case fault
    case mend(Fault)
    case boot(Int)
    // Everybody leaves the phones alone, until the end of it.
    case quiet
    case quietEnd
}

/// Something that breaks, and is whole again later.
enum Fault: Sendable {
    case phoneCutOff(Int)
    case serverCutOff
    case interruption(Int, life: UInt32)
    case deviceLost(Int, life: UInt32, Route)
}
