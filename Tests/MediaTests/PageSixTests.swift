import Base
import Foundation
import Glibc
import Media
import PhoneCore
import Rig
import SoundCore
import Testing

extension RealTime {
    /// A page over IPv6, from one host to another: the loopback interface carries none.
    @Suite(.enabled(if: HostPair.isPossible, "needs root and iproute2"))
    struct PageSixTests {
        private struct Refused: Error { let code: Int32 }

        private static let addresses = ["fd4f:66::1", "fd4f:66::2"]

        /// Does something on a host: sockets that it opens are the host's, whichever thread uses them.
        private func on<Value: Sendable>(
            _ host: HostPair.Host, _ work: @escaping @Sendable () throws -> Value
        ) async throws -> Value {
            let file = "/run/netns/" + host.namespace
            return try await withCheckedThrowingContinuation { continuation in
                // A thread of its own, which is gone with its namespace.
                Thread {
                    continuation.resume(
                        with: Result {
                            let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
                            guard descriptor >= 0 else { throw Refused(code: errno) }
                            defer { close(descriptor) }
                            guard Self.enter(descriptor) == 0 else { throw Refused(code: errno) }
                            return try work()
                        })
                }.start()
            }
        }

        /// setns(2) with CLONE_NEWNET. The headers hide it from Swift.
        private static func enter(_ descriptor: CInt) -> CInt {
            typealias Setns = @convention(c) (CInt, CInt) -> CInt
            guard let symbol = unsafe dlsym(nil, "setns") else { return -1 }
            return unsafe unsafeBitCast(symbol, to: Setns.self)(descriptor, 0x4000_0000)
        }

        private func media(
            on host: HostPair.Host, _ device: WireRig.Device, _ address: String, _ group: MediaSettings.PageGroup,
            _ log: EventLog
        ) async throws -> Media {
            try await on(host) {
                var settings = device.settings
                (settings.pages, settings.pageRoute, settings.bindAddress) = ([group], .handset, address)
                let media = Media(settings: settings, post: { log.add($0) })
                try media.configure()
                return media
            }
        }

        @Test
        func aPageIsHeardOnAnotherHost() async throws {
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
            try await on(hosts.first) { speaker.perform(.sendPage(PageSending(group: 1, isOpen: true))) }
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
