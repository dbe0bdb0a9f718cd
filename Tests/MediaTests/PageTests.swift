import Glibc
import Media
import PhoneCore
import SoundCore
import Synchronization
import Testing

extension RealTime {
    /// Pages by multicast, through the loopback interface.
    @Suite
    struct PageTests {
        private func listener(
            _ groups: MediaSettings.PageGroup..., change: (inout MediaSettings) -> Void = { _ in }
        ) throws -> TestPhone {
            try TestPhone {
                ($0.pages, $0.pageRoute) = (groups, .handset)
                change(&$0)
            }
        }

        /// A phone that sends to the group.
        private func pager(
            _ group: MediaSettings.PageGroup, _ codec: AudioCodec = .pcmu
        ) throws -> TestPhone {
            let phone = try TestPhone()
            guard phone.open(), phone.connect(PageSender.plan(to: group, codec)) else { throw TestCall.NotConnected() }
            return phone
        }

        private func sing(_ phone: TestPhone, _ pitch: Int) {
            let sine = TestSignal.sine(Double(pitch), amplitude: 4_000, seconds: 8)
            phone.device.mouth.say(sine, at: WireFile.now())
        }

        /// The pitches of audible notes; a stalling machine breaks them, and then the test listens again.
        private func heard(_ phone: TestPhone, of pitches: [Int], expecting wanted: [Int]) -> [Int] {
            var heard: [Int] = []
            for round in 0..<6 where round == 0 || heard != wanted {
                listen(milliseconds: 400)
                let end = WireFile.now() - 30 * 48
                let samples = phone.device.ear.heard(end - 100 * 48..<end)
                heard = pitches.filter { ToneDetector.level(of: $0, in: samples.span) > -35 }
            }
            return heard
        }

        @Test(arguments: AudioCodec.allCases)
        func pageIsHeard(codec: AudioCodec) throws {
            let group = PageSender.anyGroup(codecs: [TestPhone.payloadType(codec): codec])
            let phone = try listener(group)
            let pager = try pager(group, codec)
            #expect(phone.log.wait(for: .pageStarted(1)))
            phone.perform(.page(1))
            listen(milliseconds: 300)
            var best = 0.0
            for _ in 0..<3 where best <= 0.8 {
                let said = TestSignal.speech(seconds: 1)
                let start = WireFile.now() + 9_600
                pager.device.mouth.say(said, at: start)
                listen(milliseconds: 1_700)
                let match = Match(said: said, heard: phone.device.ear.heard(start..<start + said.count + 19_200))
                best = max(best, match?.correlation ?? 0)
            }
            #expect(best > 0.8)
            #expect(phone.media.statistics.packetsSent + phone.media.statistics.reportsSent == 0, "no answers")
            pager.perform(.release(TestPhone.call))
            #expect(phone.log.wait(for: .pageEnded(1)), "silence ends it")
        }

        @Test
        func onlyWantedGroupIsHeard() throws {
            let (first, second) = (PageSender.anyGroup(), PageSender.anyGroup())
            let phone = try listener(first, second)
            let (low, high) = (try pager(first), try pager(second, .g722))
            #expect(phone.log.wait(for: .pageStarted(1)) && phone.log.wait(for: .pageStarted(2)))
            sing(low, 500)
            sing(high, 800)
            #expect(heard(phone, of: [500, 800], expecting: []).isEmpty, "a page waits to be wanted")
            for (wanted, notes) in [(2, [800]), (1, [500]), (nil, []), (2, [800])] as [(UInt8?, [Int])] {
                phone.perform(.page(wanted))
                #expect(heard(phone, of: [500, 800], expecting: notes) == notes)
            }
        }

        /// Calls are paused for a page, and only calls.
        @Test
        func pauseDoesNotAffectPage() throws {
            let group = PageSender.anyGroup()
            let phone = try listener(group)
            let pager = try pager(group)
            sing(pager, 500)
            #expect(phone.log.wait(for: .pageStarted(1)))
            phone.perform(.page(1), .pause(true))
            #expect(heard(phone, of: [500], expecting: [500]) == [500])
            phone.perform(.volume(.call, 0))
            #expect(heard(phone, of: [500], expecting: []).isEmpty)
        }

        @Test
        func secondSenderWaitsUntilFirstIsSilent() throws {
            let group = PageSender.anyGroup()
            let phone = try listener(group)
            let first = try pager(group)
            sing(first, 500)
            #expect(phone.log.wait(for: .pageStarted(1)))
            phone.perform(.page(1))
            let second = try pager(group)
            sing(second, 800)
            #expect(heard(phone, of: [500, 800], expecting: [500]) == [500])
            #expect(phone.media.statistics.strangers > 10)
            first.perform(.release(TestPhone.call))
            #expect(phone.log.wait(for: .pageEnded(1)))
            sing(second, 800)
            for _ in 0..<30 where phone.log.count({ $0 == .pageStarted(1) }) < 2 { listen(milliseconds: 100) }
            #expect(phone.log.count { $0 == .pageStarted(1) } == 2)
            phone.perform(.page(nil), .page(1))
            #expect(heard(phone, of: [500, 800], expecting: [800]) == [800])
        }

        @Test
        func otherPayloadTypeIsNoPage() throws {
            let group = PageSender.anyGroup(codecs: [0: .pcmu])
            let phone = try listener(group)
            let pager = try pager(group, .pcma)
            listen(milliseconds: 500)
            #expect(phone.media.statistics.malformed > 10)
            #expect(phone.log.all.isEmpty)
            pager.perform(.release(TestPhone.call))
        }

        /// The kernel passes on packets to the group, and none that are sent to this host.
        @Test
        func unicastIsNoPage() throws {
            let group = PageSender.anyGroup()
            let phone = try listener(group)
            let peer = try DeskPhone()
            for number in 0..<20 {
                peer.send(payloadType: 0, number, payload: [UInt8](repeating: 0, count: 160), to: group.port)
            }
            let pager = try pager(group)
            #expect(phone.log.wait(for: .pageStarted(1)), "the group is")
            #expect(phone.media.statistics.strangers == 0)
            pager.perform(.release(TestPhone.call))
        }

        /// Packets to an IPv6 group go nowhere on the loopback interface, so the kernel's list of members is read.
        @Test
        func ipv6GroupIsJoinedAtPhoneAddress() throws {
            let host = UInt16.random(in: 0x1000...0xFFFF)
            let group = MediaSettings.PageGroup(address: "ff05::4f66:" + String(host, radix: 16), port: 20_004)
            let entry = "ff0500000000000000000000" + "4f66" + String(host, radix: 16)
            let phone = try listener(group)
            let joined = Self.groupsOfIPv6().filter { $0.contains(entry) }
            #expect(joined.count == 1 && joined.first?.contains("lo") == true)
            phone.media.close()
            #expect(Self.groupsOfIPv6().filter { $0.contains(entry) }.isEmpty)
        }

        /// The kernel's table of groups: the words of each row.
        private static func groupsOfIPv6() -> [[String]] {
            let descriptor = unsafe open("/proc/net/igmp6", O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
            while true {
                let count = unsafe read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                text += buffer[..<count]
            }
            return String(decoding: text, as: UTF8.self).split(separator: "\n").map { row in
                row.split(separator: " ").map(String.init)
            }
        }

        /// A group on another interface than that of the phone's address is left; with the address back, joined again.
        @Test
        func groupFollowsAddress() throws {
            let group = PageSender.anyGroup()
            let notices = Mutex<[MediaNotice]>([])
            let phone = try TestPhone({ ($0.pages, $0.bindAddress) = ([group], "0.0.0.0") }) { notice in
                notices.withLock { $0.append(notice) }
            }
            phone.perform(.joinPages(["127.0.0.1"]))
            let pager = try pager(group)
            #expect(phone.log.wait(for: .pageStarted(1)))
            phone.perform(.joinPages(["192.0.2.77"]))
            let told = notices.withLock { $0.last?.description }
            #expect(told?.contains("no interface has the address") == true)
            phone.perform(.joinPages(["127.0.0.1"]))
            pager.perform(.release(TestPhone.call))
            #expect(phone.log.wait(for: .pageEnded(1)))
        }
    }
}
