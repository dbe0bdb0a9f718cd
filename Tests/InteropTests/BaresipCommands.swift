import Base
import Bench
import Foundation
import Glibc
import Rig

/// baresip's control socket: JSON in netstrings. A Python relay reaches into its namespace, so the test itself stays
/// outside.
final class BaresipCommands {
    private static let relay = """
        import select, socket, sys, time
        for attempt in range(100):
            try:
                peer = socket.create_connection((sys.argv[1], int(sys.argv[4])), 1); break
            except OSError:
                time.sleep(0.05)
        inbox = open(sys.argv[2], "rb", buffering=0)
        outbox = open(sys.argv[3], "wb", buffering=0)
        outbox.write(b"0:,")
        while True:
            for ready in select.select([peer, inbox], [], [])[0]:
                data = peer.recv(65536) if ready is peer else inbox.read(65536)
                if not data: sys.exit(0)
                (outbox.write if ready is peer else peer.sendall)(data)
        """

    private let process: ChildProcess
    private let toPeer: Int32
    private let fromPeer: Int32
    private var received: [UInt8] = []

    init(host: HostPair.Host, port: UInt16, folder: String) throws {
        let (inbox, outbox) = (folder + "/to-baresip", folder + "/from-baresip")
        for path in [inbox, outbox] {
            guard mkfifo(path, 0o600) == 0 else { throw Baresip.Failure(description: "mkfifo \(path) failed") }
        }
        process = try ChildProcess(
            host.prefix + ["python3", "-c", Self.relay, host.address, inbox, outbox, "\(port)"],
            log: folder + "/relay.log")
        // Both ends open for both directions, so neither open waits for the other side.
        toPeer = open(inbox, O_RDWR | O_CLOEXEC)
        fromPeer = open(outbox, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard toPeer >= 0, fromPeer >= 0 else { throw Baresip.Failure(description: "\(folder): no pipes") }
        // An empty message of the relay means that it is connected: from now on no event is missed.
        guard try nextEvent(upTo: .seconds(10)) == "" else {
            throw Baresip.Failure(description: "\(folder): baresip takes no commands")
        }
    }

    deinit {
        close(toPeer)
        close(fromPeer)
        _ = process.stop()
    }

    func send(_ name: String, _ parameters: String) throws {
        let object = ["command": name, "params": parameters, "token": name]
        let body = try JSONSerialization.data(withJSONObject: object)
        let message = Array("\(body.count):".utf8) + Array(body) + Array(",".utf8)
        guard write(toPeer, message, message.count) == message.count else {
            throw Baresip.Failure(description: "baresip: command \(name) was not sent")
        }
    }

    /// The next event or response as its JSON text; nil if none came in time.
    func nextEvent(upTo limit: Duration) throws -> String? {
        let end = MonotonicTime.now + limit
        repeat {
            if let text = takeNetstring() { return text }
            var ready = pollfd(fd: fromPeer, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Int32(max(1, (end - MonotonicTime.now).milliseconds))) > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = read(fromPeer, &chunk, chunk.count)
            if count > 0 { received += chunk[..<count] }
        } while MonotonicTime.now < end
        return nil
    }

    private func takeNetstring() -> String? {
        guard let colon = received.firstIndex(of: UInt8(ascii: ":")),
            let length = Int(String(decoding: received[..<colon], as: UTF8.self)), received.count >= colon + length + 2
        else { return nil }
        let text = String(decoding: received[(colon + 1)..<(colon + 1 + length)], as: UTF8.self)
        received.removeFirst(colon + length + 2)
        return text
    }
}
