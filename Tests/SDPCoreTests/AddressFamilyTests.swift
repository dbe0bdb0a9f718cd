import Base
import SDPCore
import Testing

@Suite("IPv4 and IPv6")
struct AddressFamilyTests {
    static let six = "m=audio 7000 RTP/AVP 0\r\nc=IN IP6 2001:db8::7\r\n"
    static let four = "m=audio 7010 RTP/AVP 0\r\nc=IN IP4 198.51.100.7\r\n"

    static func phone(_ families: Set<IPFamily>) -> MediaCapabilities {
        var capabilities = MediaCapabilities(protection: .off)
        capabilities.families = families
        return capabilities
    }

    struct Choice: Sendable {
        let families: Set<IPFamily>
        let lines: String
        /// The chosen remote port. Nil: the offer is rejected.
        let port: UInt16?
    }

    @Test(
        "a phone chooses the first line that it can send to",
        arguments: [
            Choice(families: [.version4], lines: six, port: nil),
            Choice(families: [.version4], lines: four, port: 7010),
            Choice(families: [.version4], lines: six + four, port: 7010),
            Choice(families: [.version6], lines: four, port: nil),
            Choice(families: [.version6], lines: four + six, port: 7000),
            Choice(families: [.version4, .version6], lines: six, port: 7000),
            // The far end has the family of our own address for certain, which is IPv4 here.
            Choice(families: [.version4, .version6], lines: six + four, port: 7010),
            // IPv4 in the form of IPv6 is sent as IPv4.
            Choice(
                families: [.version4], lines: "m=audio 7000 RTP/AVP 0\r\nc=IN IP6 ::ffff:198.51.100.7\r\n", port: 7000),
            Choice(
                families: [.version6], lines: "m=audio 7000 RTP/AVP 0\r\nc=IN IP6 ::ffff:198.51.100.7\r\n", port: nil),
            // One line with two addresses.
            Choice(families: [.version4], lines: six + "c=IN IP4 198.51.100.7\r\n", port: 7000),
            // A holding far end names a zero address.
            Choice(families: [.version6], lines: "m=audio 7000 RTP/AVP 0\r\nc=IN IP4 0.0.0.0\r\n", port: 7000),
        ])
    func phoneChoosesFirstLineThatItCanSendTo(_ choice: Choice) throws {
        let capabilities = Self.phone(choice.families)
        var ends = Ends(.init(), capabilities)
        let offer = try Ends.description(choice.lines)
        guard let port = choice.port else {
            // Before the phone rings, and for an offer in a call.
            #expect(throws: NegotiationError.unusableAddress) { try capabilities.check(offer) }
            #expect(throws: NegotiationError.unusableAddress) { try ends.answer(offer) }
            return
        }
        try capabilities.check(offer)
        #expect(try ends.answer(offer).remote.port == port)
    }

    @Test("an answer with an address of the other family gives no agreement")
    func answerWithAddressOfOtherFamilyGivesNoAgreement() throws {
        var ends = Ends(Self.phone([.version4]), .init())
        _ = ends.caller.offer(held: false, using: &ends.generator)
        #expect(throws: NegotiationError.unusableAddress) { try ends.caller.conclude(Ends.description(Self.six)) }
    }

    @Test("the RTCP address has the voice's family")
    func rtcpAddressHasVoiceFamily() throws {
        var ends = Ends(.init(), Self.phone([.version4]))
        let agreed = try ends.answer(Ends.description(Self.four + "a=rtcp:9001 IN IP6 2001:db8::7\r\n"))
        #expect(agreed.remoteControl == MediaAddress(host: "198.51.100.7", port: 9001))
    }

    @Test("ICE finds an address of the right family, if this phone uses it")
    func iceFindsAddressOfRightFamilyIfThisPhoneUsesIt() throws {
        let offer = try Ends.description(
            "a=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuv\r\n" + Self.six
                + "a=rtcp-mux\r\na=candidate:1 1 UDP 2130706431 198.51.100.7 7000 typ host\r\n")
        var capabilities = Self.phone([.version4])
        #expect(throws: NegotiationError.unusableAddress) { try capabilities.check(offer) }
        capabilities.answersICE = true
        try capabilities.check(offer)
    }
}
