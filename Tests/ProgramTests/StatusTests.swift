import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// The text of `systemctl status` for a running phone.
@Suite(.serialized, .stallsForgiven) struct StatusTests {
    @Test(.limit(minutesEachTime: 1)) func statusShowsCallWithoutItsParties() throws {
        let workplace = try Workplace()
        let folder = try workplace.phoneFolder("phone", .init(port: 26_450, firstMediaPort: 26_640))
        let socket = workplace.path + "/notify"
        let listener = try NotifySocket(path: socket)
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone, prefix: ["env", "NOTIFY_SOCKET=\(socket)"])
        #expect(listener.next(within: .seconds(20)) == "READY=1")
        #expect(listener.next(within: .seconds(5)) == "STATUS=idle")
        // A far end that answers and sends silence.
        let silent = try DatagramPeer()
        try phone.ask("dial", ["target": .string("sip:666@127.0.0.1:\(silent.port)")])
        #expect(listener.next(within: .seconds(5)) == "STATUS=1 call", "and the callee is private")
        #expect(phone.process.stop().exit == .status(0))
    }
}
