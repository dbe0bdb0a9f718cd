import Base
import ICECore
import SDPCore
import Testing

/// Descriptions of real devices that bend the grammar where the meaning is clear.
@Suite("Odd descriptions")
struct OddDescriptionTests {
    private static let clear = MediaCapabilities(protection: .off)

    private func answered(
        _ lines: String, _ capabilities: MediaCapabilities = clear
    ) throws -> (agreed: NegotiatedMedia, answer: SessionDescription) {
        var ends = Ends(.init(), capabilities)
        let offer = try Ends.description(lines)
        let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        return (agreed.media, answer)
    }

    struct Odd: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let lines: String
        var codec = AudioCodec.pcma
        var direction = Direction.sendrecv
    }

    @Test(
        "an offer with clear meaning is accepted",
        arguments: [
            Odd(
                testDescription: "G.722 with its sampling rate",
                lines: "m=audio 7000 RTP/AVP 9\r\na=rtpmap:9 G722/16000\r\n", codec: .g722),
            Odd(
                testDescription: "a dynamic G.722 with its sampling rate",
                lines: "m=audio 7000 RTP/AVP 102\r\na=rtpmap:102 G722/16000\r\n", codec: .g722),
            Odd(
                testDescription: "a static codec without a clock",
                lines: "m=audio 7000 RTP/AVP 8\r\na=rtpmap:8 PCMA\r\n"),
            Odd(
                testDescription: "Opus without channels",
                lines: "m=audio 7000 RTP/AVP 107\r\na=rtpmap:107 opus/48000\r\n", codec: .opus),
            Odd(
                testDescription: "Opus with one channel",
                lines: "m=audio 7000 RTP/AVP 107\r\na=rtpmap:107 OPUS/48000/1\r\n", codec: .opus),
            Odd(
                testDescription: "spaces at the ends",
                lines: "m=audio 7000 RTP/AVP 8 \r\na=rtpmap:8 PCMA/8000 \r\na=sendonly \r\n", direction: .recvonly),
            Odd(
                testDescription: "a space before the value",
                lines: "m=audio 7000 RTP/AVP 8\r\na=rtpmap: 8 PCMA/8000\r\na=ptime: 20\r\n"),
            Odd(testDescription: "a tab as a separator", lines: "m=audio 7000 RTP/AVP\t8\r\na=rtpmap:8\tPCMA/8000\r\n"),
            Odd(
                testDescription: "other cases of letters", lines: "m=Audio 7000 rtp/avp 8\r\na=SendOnly\r\n",
                direction: .recvonly),
            Odd(
                testDescription: "a network type in small letters",
                lines: "m=audio 7000 RTP/AVP 8\r\nc=in ip4 198.51.100.7\r\n"),
            Odd(
                testDescription: "a lifetime behind a unicast address",
                lines: "m=audio 7000 RTP/AVP 8\r\nc=IN IP4 198.51.100.7/127\r\n"),
            Odd(
                testDescription: "hold by a long address of zeros",
                lines: "m=audio 7000 RTP/AVP 8\r\nc=IN IP6 0:0:0:0:0:0:0:0\r\n", direction: .sendrecv),
            Odd(
                testDescription: "comfort noise first",
                lines: "m=audio 7000 RTP/AVP 13 101 8\r\na=rtpmap:101 telephone-event/8000\r\n"),
            Odd(
                testDescription: "a format twice",
                lines: "m=audio 7000 RTP/AVP 8 8 101 101\r\na=rtpmap:101 telephone-event/8000\r\n"),
            Odd(
                testDescription: "a map for a format that is not there",
                lines: "m=audio 7000 RTP/AVP 8\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:999 X/1\r\n"),
            Odd(
                testDescription: "two directions",
                lines: "a=inactive\r\nm=audio 7000 RTP/AVP 8\r\na=sendrecv\r\na=sendrecv\r\n"),
            Odd(
                testDescription: "a port for reports that is none",
                lines: "m=audio 7000 RTP/AVP 8\r\na=rtcp:0 IN IP4 0.0.0.0\r\n"),
            Odd(
                testDescription: "a packet length of 200 ms",
                lines: "m=audio 7000 RTP/AVP 8\r\na=ptime:200\r\na=maxptime:0\r\n"),
        ])
    func offerWithClearMeaningIsAccepted(_ odd: Odd) throws {
        let (agreed, answer) = try answered(odd.lines)
        #expect(agreed.codec.name == odd.codec)
        let direction = odd.testDescription.hasPrefix("hold by") ? Direction.sendonly.mirrored : odd.direction
        #expect(agreed.direction == direction)
        #expect(try SessionDescription(parsing: answer.bytes) == answer)
    }

    @Test("packets are as long as asked", arguments: [" 30", "30 ", "30.0", "40", "60", "20"])
    func packetsAreAsLongAsAsked(_ text: String) throws {
        let (agreed, _) = try answered("m=audio 7000 RTP/AVP 8\r\na=ptime:\(text)\r\n")
        let wanted = Int(text.split(separator: ".")[0].filter(\.isNumber)) ?? 0
        // 30 ms are none of our lengths.
        #expect(agreed.codec.packetMilliseconds == (wanted == 30 ? 20 : wanted))
    }

    @Test("key lines are read in any case of letters")
    func keyLinesAreReadInAnyCaseOfLetters() throws {
        let key = Ends.key.replacing("AES_CM_128_HMAC_SHA1_80 inline", with: "aes_cm_128_hmac_sha1_80 INLINE")
        let (agreed, answer) = try answered("m=audio 7000 RTP/SAVP 8\r\n" + key, .init())
        #expect(agreed.sdes != nil && answer.media[0].hasFlag("crypto"))
    }

    /// The remaining key lines count, whatever the first one is.
    @Test(
        "an unusable key line does not hide the next one",
        arguments: [
            "a=crypto:1 AES_CM_256_HMAC_SHA1_80 inline:AAAA\r\n", "a=crypto:1\r\n", "a=crypto\r\n", "a=crypto: \r\n",
            "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd UNENCRYPTED_SRTP\r\n",
            "a=crypto:1 F8_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\r\n",
        ])
    func unusableKeyLineDoesNotHideNextOne(_ line: String) throws {
        let (agreed, _) = try answered("m=audio 7000 RTP/SAVP 8\r\n" + line + Ends.key, .init())
        #expect(agreed.sdes != nil)
    }

    private static let print =
        "a=fingerprint:sha-256 " + Array(repeating: "0A", count: 32).joined(separator: ":") + "\r\n"
    private static var handshaking: MediaCapabilities {
        MediaCapabilities(protection: .offered, fingerprint: Ends.fingerprint(7))
    }

    @Test(
        "a handshake is read beside other hashes and in any case of letters",
        arguments: [
            "a=fingerprint:sha-1 AA:BB\r\n" + print + "a=setup:actpass\r\n",
            print.replacing("sha-256", with: "SHA-256") + "a=setup:ACTPASS\r\n",
            print.lowercased() + "a=setup: actpass\r\n", print + "a=setup:actpass \r\na=connection:NEW\r\n",
            "a=fingerprint:sha-512 " + Array(repeating: "0A", count: 64).joined(separator: ":") + "\r\n" + print
                + "a=setup:active\r\n",
        ])
    func handshakeIsReadBesideOtherHashesAndInAnyCaseOfLetters(_ keying: String) throws {
        let (agreed, _) = try answered("m=audio 7000 UDP/TLS/RTP/SAVP 8\r\n" + keying, Self.handshaking)
        #expect(agreed.dtls != nil)
    }

    /// Opportunistic keys (RFC 8643 §3.2): the transport is the clear one. Asterisk's `force_avp` offers that, too.
    @Test("a handshake is accepted under the clear transport")
    func handshakeIsAcceptedUnderClearTransport() throws {
        let line = "m=audio 7000 RTP/AVP 8\r\n" + Self.print + "a=setup:actpass\r\n"
        for policy in [ProtectionPolicy.mandatory, .offered, .dtls] {
            let capabilities = MediaCapabilities(protection: policy, fingerprint: Ends.fingerprint(7))
            let (agreed, answer) = try answered(line, capabilities)
            #expect(agreed.dtls?.isActive == true && answer.media[0].transport == "RTP/AVP")
            #expect(answer.media[0].hasFlag("fingerprint"))
        }
        // A phone without keys speaks in clear, as the transport says.
        #expect(try answered(line).agreed.protection == nil)
        let without = MediaCapabilities(protection: .offered)
        #expect(try answered(line, without).agreed.protection == nil)
    }

    @Test("an answer under the clear transport may have keys")
    func answerUnderClearTransportMayHaveKeys() throws {
        var ends = Ends(.init(protection: .dtls, fingerprint: Ends.fingerprint(7)), .init())
        _ = ends.caller.offer(held: false, using: &ends.generator)
        let answer = "m=audio 7000 RTP/AVP 8\r\n" + Self.print + "a=setup:active\r\n"
        #expect(try ends.caller.conclude(Ends.description(answer)).media.dtls?.isActive == false)
        var sdes = Ends()
        _ = sdes.caller.offer(held: false, using: &sdes.generator)
        let keys = "m=audio 7000 RTP/AVP 8\r\n" + Ends.key.replacing("crypto:4", with: "crypto:1")
        #expect(try sdes.caller.conclude(Ends.description(keys)).media.sdes != nil)
    }

    @Test("an answer may have surplus lines, or lack the session's other lines")
    func answerMayHaveSurplusLines() throws {
        for lines in [
            "m=audio 7000 RTP/AVP 8\r\nm=video 0 RTP/AVP 96\r\n",
            "m=audio 7000 RTP/AVP 8\r\nm=audio 7002 RTP/AVP 8\r\n",
            "m=audio 7000 RTP/AVP 8\r\nm=text 0 RTP/AVP 98\r\nm=image 0 udptl t38\r\n",
        ] {
            var ends = Ends(.init(protection: .off), .init())
            _ = ends.caller.offer(held: false, using: &ends.generator)
            #expect(try ends.caller.conclude(Ends.description(lines)).media.remote.port == 7000)
            // The next offer has our lines only.
            #expect(ends.caller.offer(held: true, using: &ends.generator).media.count == 1)
        }
    }

    @Test("a version with a space and empty lines are read")
    func versionWithSpaceAndEmptyLinesAreRead() throws {
        for text in [
            "v=0 \r\no=- 7 7 IN IP4 h\r\ns=-\r\nc=IN IP4 198.51.100.7\r\nm=audio 7000 RTP/AVP 8\r\n",
            "\r\n\r\nv=0\r\no=- 7 7 IN IP4 h\r\ns=\r\n\r\nc=IN IP4 198.51.100.7\r\nm=audio 7000 RTP/AVP 8\r\n\r\n",
            "v=0\r\no=- 7 7 IN IP4 h\r\nc=IN IP4 198.51.100.7\r\nm=audio 7000 RTP/AVP 8\r\n\0",
        ] {
            let offer = try SessionDescription(parsing: Array(text.utf8))
            var ends = Ends(.init(), Self.clear)
            #expect(try ends.answer(offer).remote.port == 7000)
        }
    }

    @Test(
        "events are read as devices describe them",
        arguments: [
            "a=rtpmap:101 telephone-event/8000/1\r\n", "a=rtpmap:101 Telephone-Event/8000\r\n",
            "a=rtpmap:101 telephone-event\r\n",
            "a=rtpmap:101  telephone-event/8000 \r\na=fmtp:101 0-11,16\r\n",
            "a=rtpmap:101 telephone-event/8000\r\na=fmtp:101\r\n",
        ])
    func eventsAreReadAsDevicesDescribeThem(_ map: String) throws {
        #expect(try answered("m=audio 7000 RTP/AVP 8 101\r\n" + map).agreed.telephoneEvents?.sendPayloadType == 101)
    }
}
