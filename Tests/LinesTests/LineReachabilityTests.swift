import Lines
import Telephony
import Testing

@Suite("Reachability of a line")
struct LineReachabilityTests {
    @Test("a line without a readable socket is unregistered until all are read again")
    func unread() {
        var line = LineReachability()
        line.registration = .registered
        line.read(false, "UDP at 10.0.0.1 port 5060")
        line.read(false, "UDP at fd00::1 port 5060")
        #expect(line.state == .failed("UDP at 10.0.0.1 port 5060 cannot be read just now"))
        // A response of the server in between does not make the line readable.
        line.registration = .registering
        line.registration = .registered
        line.read(true, "UDP at 10.0.0.1 port 5060")
        #expect(line.state == .failed("UDP at fd00::1 port 5060 cannot be read just now"))
        line.read(true, "UDP at fd00::1 port 5060")
        #expect(line.state == .registered)
    }

    @Test("a missing address is reported first; afterwards a line without account is as before")
    func missingAddressIsReportedFirst() {
        var line = LineReachability()
        #expect(line.state == .notNeeded)
        line.read(false, "the listener at port 5061")
        line.closed = "10.0.0.1 is not an address of this machine"
        #expect(line.state == .failed("10.0.0.1 is not an address of this machine"))
        line.closed = nil
        line.read(true, "the listener at port 5061")
        #expect(line.state == .notNeeded)
    }
}
