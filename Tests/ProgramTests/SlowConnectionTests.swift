import Base
import Bench
import Control
import Foundation
import Glibc
import Rig
import HostStalls
import Testing

/// Strangers that open connections and send a byte now and then, forever (Slowloris): honest peers are still served.
@Suite(.serialized, .stallsForgiven) struct SlowConnectionTests {
    @Test(.limit(minutesEachTime: 2)) func slowConnectionsBlockNobody() throws {
        let workplace = try Workplace()
        let phones = try [("alice", 26_060, 26_070), ("bob", 26_070, 26_060)].map { name, port, far in
            let folder = try workplace.phoneFolder(
                name, .init(port: UInt16(port), firstMediaPort: UInt16(port + 40)))
            try folder.addAccount(
                program: Workplace.phone, label: "desk", user: name, server: "127.0.0.1:\(far)",
                more: ["--no-register", "--no-password", "--transport", "tcp"])
            return try RigPhone(name: name, folder: folder, program: Workplace.phone)
        }
        // Three times as many as either phone accepts.
        let dawdlers = try (0..<96).map { try Dawdler(port: $0 % 2 == 0 ? 26_060 : 26_070) }
        for dawdler in dawdlers { dawdler.say("OPTIONS sip:bob@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.0.9") }
        for phone in phones { try phone.waitUntilReady() }
        try phones[0].ask("dial", ["target": "102"])
        try phones[1].wait(for: "incomingCall")
        for dawdler in dawdlers { dawdler.say("x") }
        try phones[1].ask("answer")
        for phone in phones { try phone.wait(for: "firstVoice") }
        try phones[1].ask("hangup")
        #expect(try phones[0].wait(for: "callEnded").fields["reason"] == "hungUpThere")
        for phone in phones { #expect(phone.process.stop().exit == .status(0)) }
    }

    /// A connection from an address that the phones do not know.
    private final class Dawdler {
        struct Failure: Error {}
        private let socket: Int32

        init(port: UInt16) throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var own = sockaddr_in.loopback("127.0.0.9", port: 0)
            var far = sockaddr_in.loopback("127.0.0.1", port: port)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafePointer(to: &own) { own in
                withUnsafePointer(to: &far) { far in
                    own.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) } == 0
                        && far.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) } == 0
                }
            }
            guard isConnected else { throw Failure() }
        }

        deinit { close(socket) }

        /// The test ignores that the phone closed it.
        func say(_ text: String) { _ = send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }
    }
}
