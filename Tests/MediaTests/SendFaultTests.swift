import Media
import PhoneCore
import Testing

extension RealTime {
    @Suite
    struct SendFaultTests {
        /// A socket without the broadcast option may not send to everyone, so the kernel refuses each packet.
        @Test
        func kernelSendErrorIsReportedUntilItEnds() throws {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open())
            var nowhere = peer.plan
            nowhere.remote = MediaAddress(host: "127.255.255.255", port: peer.plan.remote.port)
            #expect(phone.connect(nowhere))
            #expect(phone.log.wait(for: .sendingFailed(TestPhone.call, "Permission denied")))
            #expect(!phone.log.all.contains(.sendingResumed(TestPhone.call)))
            phone.perform(.update(TestPhone.call, peer.plan))
            #expect(phone.log.wait(for: .sendingResumed(TestPhone.call)))
        }
    }
}
