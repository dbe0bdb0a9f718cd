import Base
import Media
import PhoneCore
import Rig
import SoundCore
import Testing

extension RealTime {
    /// A page over IPv6, from one host to another: the loopback interface carries none.
    @Suite(.enabled(if: HostPair.isPossible, "needs root and iproute2"))
    struct PageSixTests {
        private static let addresses = ["fd4f:66::1", "fd4f:66::2"]

        private func media(
            on host: HostPair.Host, _ device: WireRig.Device, _ address: String, _ group: MediaSettings.PageGroup,
            _ log: EventLog
        ) async throws -> Media {
            try await host.inside {
                var settings = device.settings
                (settings.pages, settings.pageRoute, settings.bindAddress) = ([group], .handset, address)
                let media = Media(settings: settings, post: { log.add($0) })
                try media.configure()
                return media
            }
        }

        @Test
        func pageIsHeardOnAnotherHost() async throws {
            let hosts = try HostPair()
            for (host, address) in zip([hosts.first, hosts.second], Self.addresses) {
                try hosts.run(host, ["addr", "add", address + "/64", "dev", "wire", "nodad"])
            }
            let group = MediaSettings.PageGroup(
                address: "ff05::4f66:1", port: 20_004, codecs: [9: .g722], sending: .init(codec: .g722, payloadType: 9))
            let (mouth, ear) = (WireRig.installed.device(), WireRig.installed.device())
            let (saidLog, heardLog) = (EventLog(), EventLog())
            let speaker = try await media(on: hosts.first, mouth, Self.addresses[0], group, saidLog)
            let listener = try await media(on: hosts.second, ear, Self.addresses[1], group, heardLog)
            defer {
                speaker.close()
                listener.close()
            }
            let sine = TestSignal.sine(800, amplitude: 4_000, seconds: 5)
            mouth.mouth.say(sine, at: WireFile.now())
            try await hosts.first.inside { speaker.perform(.sendPage(PageSending(group: 1, isOpen: true))) }
            #expect(heardLog.wait(for: .pageStarted(1)))
            listener.perform(.page(1))
            let heard = SentPageTests.level(of: 800, at: ear, within: SentPageTests.loud)
            #expect(SentPageTests.loud.contains(heard), "\(heard) dBm0")
            speaker.perform(.sendPage(nil))
            #expect(heardLog.wait(for: .pageEnded(1)))
            #expect(saidLog.all.isEmpty)
        }
    }
}
