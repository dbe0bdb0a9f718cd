import Base
import PhoneCore
import SIPCore

/// An entry of the agenda.
enum Happening: Sendable {
    case datagram(Datagram)
    /// An internal deadline is due.
    case machineDue(Int)
    case lineDue(Int)
    case panelDue(Int)
    case proxyDue
    /// A phone gets an event, if the addressed process still lives.
    case event(Int, life: UInt32, PhoneEvent)
    /// The record of a sign-in is on the disk, if the addressed process still lives then.
    case signInKept(Int, life: UInt32, SignIns.Record)
    case mediaCheck(MediaPlane.Check)
    case fork(ServerTransactionID, [String])
    case refuse(ServerTransactionID)
    /// A gateway first offers the call in an unacceptable way.
    case misoffer(ServerTransactionID, [String])
    case message(Backend.Message)
    // People.
    case wish
    /// The enemy acts, and one of its messages arrives.
    case attack
    case forged(Datagram)
    case look(Int)
    case deed(Int, Person.Act)
    case rogue
    // Faults.
    case fault
    case mend(Fault)
    case boot(Int)
    // Quiet: no person or fault touches the phones, until its end.
    case quiet
    case quietEnd
}

/// A temporary fault.
enum Fault: Sendable {
    case phoneCutOff(Int)
    case serverCutOff
    case interruption(Int, life: UInt32)
    case deviceLost(Int, life: UInt32, Route)
}
