import Glibc
import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    /// Pages that a phone sends, through the loopback interface.
    @Suite
    struct SentPageTests {
        private static let open = MediaEffect.sendPage(PageSending(group: 1, isOpen: true))
        private static let muted = MediaEffect.sendPage(PageSending(group: 1, isOpen: false))

        /// A group to which its phones send, too.
        static func group(_ codec: AudioCodec = .pcmu, hops: UInt8 = 1) -> MediaSettings.PageGroup {
            let type = TestPhone.payloadType(codec)
            var group = PageSender.anyGroup(codecs: [type: codec])
            group.sending = .init(codec: codec, payloadType: type, hops: hops)
            return group
        }

        private func phone(_ group: MediaSettings.PageGroup) throws -> TestPhone {
            try TestPhone { ($0.pages, $0.pageRoute) = ([group], .handset) }
        }

        /// The level of a pitch in the last tenth of a second, in dBm0; repeated if the machine stalled.
        static func level(of pitch: Int, at device: WireRig.Device, within range: ClosedRange<Double>) -> Double {
            var level = Decibels.floor
            for round in 0..<6 where round == 0 || !range.contains(level) {
                listen(milliseconds: 250)
                let end = WireFile.now() - 30 * 48
                let samples = device.ear.heard(end - 100 * 48..<end)
                level = ToneDetector.level(of: pitch, in: samples.span)
            }
            return level
        }

        static func sing(_ phone: TestPhone, _ pitch: Int, seconds: Double = 6) {
            let sine = TestSignal.sine(Double(pitch), amplitude: 4_000, seconds: seconds)
            phone.device.mouth.say(sine, at: WireFile.now())
        }

        /// 4,000 of 32,767 in dBm0, the level at the sender.
        static let loud = -16.6 ... -13.6

        @Test(arguments: [AudioCodec.pcma, .opus])
        func voiceArrivesAtOtherPhone(codec: AudioCodec) throws {
            let group = Self.group(codec)
            let (speaker, listener) = (try phone(group), try phone(group))
            Self.sing(speaker, 500)
            speaker.perform(.route(.handset), Self.open)
            #expect(listener.log.wait(for: .pageStarted(1)))
            listener.perform(.page(1))
            let heard = Self.level(of: 500, at: listener.device, within: Self.loud)
            #expect(Self.loud.contains(heard), "\(heard) dBm0")
            speaker.perform(Self.muted)
            let silent = -100.0 ... -50
            #expect(silent.contains(Self.level(of: 500, at: listener.device, within: silent)), "mute is at once")
            speaker.perform(.sendPage(nil))
            #expect(listener.log.wait(for: .pageEnded(1)))
            #expect(speaker.log.all.isEmpty, "it ignores its own page")
        }

        /// The view of a receiver that knows nothing of this phone.
        @Test
        func packetsMatchDeskPhone() throws {
            let group = Self.group(hops: 3)
            let speaker = try phone(group)
            let (ear, control) = (try GroupEar(group), try GroupEar(group, port: group.port + 1))
            speaker.perform(Self.open)
            listen(milliseconds: 700)
            speaker.perform(.sendPage(nil))
            listen(milliseconds: 100)
            let packets = ear.received()
            listen(milliseconds: 200)
            #expect(ear.received().isEmpty, "nothing comes behind the end")
            #expect(control.received().isEmpty, "no reports are sent")
            #expect((25...42).contains(packets.count), "fifty a second: \(packets.count)")
            let first = try #require(packets.first)
            #expect(first.bytes[1] == 0x80, "PCMU, and the marker at the first")
            for (place, packet) in packets.enumerated() {
                #expect(packet.hops == 3)
                #expect(packet.bytes.count == 172 && packet.bytes[0] == 0x80)
                #expect(packet.number(at: 2, octets: 2) == (first.number(at: 2, octets: 2) + place) & 0xFFFF)
                #expect(packet.number(at: 8, octets: 4) == first.number(at: 8, octets: 4), "one source")
            }
            var holes = 0
            for (earlier, later) in zip(packets, packets.dropFirst()) {
                let ticks = (later.number(at: 4, octets: 4) - earlier.number(at: 4, octets: 4)) & 0xFFFF_FFFF
                // A stalled device leaves a gap in the sound: the timestamps have it, and a marker follows.
                let isHole = ticks > 160
                #expect(ticks >= 160 && later.bytes[1] == (isHole ? 0x80 : 0), "\(ticks) ticks")
                holes += isHole ? 1 : 0
            }
            #expect(holes <= 2, "the sound is one piece")
        }

        /// One page after the other, and one to a receive-only group.
        @Test
        func failedPageIsReported() throws {
            let group = Self.group()
            let speaker = try TestPhone { ($0.pages, $0.bindAddress) = ([group, PageSender.anyGroup()], "0.0.0.0") }
            speaker.perform(.joinPages(["192.0.2.77"]), Self.open)
            let unsent = speaker.log.wait { if case .pageUnsent(1, let why) = $0 { why } else { nil } }
            #expect(unsent?.contains("no interface has the address") == true)
            speaker.perform(.sendPage(PageSending(group: 2, isOpen: true)))
            #expect(speaker.log.wait { if case .pageUnsent(2, _) = $0 { true } else { nil } } == true)
            let ear = try GroupEar(group)
            speaker.perform(.joinPages(["127.0.0.1"]), Self.open)
            listen(milliseconds: 300)
            #expect(!ear.received().isEmpty)
            speaker.perform(.sendPage(nil))
        }
    }
}
