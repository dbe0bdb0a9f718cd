import Lines
import PhoneCore
import Testing

@Suite("Whether a line can be reached")
struct LineReachabilityTests {
    @Test("a line that nobody hears is not registered, until all its sockets are read again")
    func unread() {
        var line = LineReachability()
        line.registration = .registered
        line.read(false, "UDP at 10.0.0.1 port 5060")
        line.read(false, "UDP at fd00::1 port 5060")
        #expect(line.state == .failed("UDP at 10.0.0.1 port 5060 cannot be read just now"))
        // What the server says meanwhile does not make the line hear.
        line.registration = .registering
        line.registration = .registered
        line.read(true, "UDP at 10.0.0.1 port 5060")
        #expect(line.state == .failed("UDP at fd00::1 port 5060 cannot be read just now"))
        line.read(true, "UDP at fd00::1 port 5060")
        #expect(line.state == .registered)
    }

    @Test("a missing address comes first, and without an account the line is as it was afterwards")
    func closed() {
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
