import SDPCore
import Testing

@Suite("Moving to another address")
struct MovingTests {
    @Test("the address is new and the version higher; session name, port and keys stay")
    func addressIsNewAndVersionHigherWhileNamePortAndKeysStay() throws {
        var ends = Ends()
        let before = try ends.negotiate()
        let first = ends.caller.offer(held: false, using: &ends.generator)
        ends.caller.withdraw()
        ends.caller.move(to: "198.51.100.7")
        let second = ends.caller.offer(held: false, using: &ends.generator)
        ends.caller.withdraw()
        #expect(second.host == "198.51.100.7" && second.media == first.media)
        #expect(second.origin.host == first.origin.host && second.origin.sessionID == first.origin.sessionID)
        #expect(second.origin.version == first.origin.version + 1)
        let after = try ends.negotiate()
        #expect(after.called.remote.host == "198.51.100.7" && after.called.remote.port == 4000)
        #expect(after.called.protection == before.called.protection)
        // An answer has it, too.
        ends.caller.move(to: "2001:db8::7")
        let back = try ends.negotiateBack(calledHolds: false)
        #expect(back.called.remote.host == "2001:db8::7")
    }
}
