import Base
import LineCore
import SIPCore

/// Whole calls between two lines on one thread: INVITE, 180, 200, ACK, BYE, 200, each a datagram through the kernel.
///
/// The lines have a separate time: each call takes a second of it. So the limit of new calls and the timers of RFC
/// 3261 behave as on a phone with one call a second.
struct CallBench {
    private var lines: [LineMachine]
    private let wires: [Wire]
    private var now = Instant.zero
    private var ended = 0
    private var invited: UInt32 = 0

    static func run(calls: Int) throws {
        var bench = try CallBench()
        for _ in 0..<200 { try bench.call() }
        let (processor, wall) = (Clock.processor, Clock.wall)
        for _ in 0..<calls { try bench.call() }
        let used = (Clock.processor - processor) / Double(calls) / 1e3
        let took = (Clock.wall - wall) / Double(calls) / 1e3
        print("calls", calls, "processor", used, "wall", took)
    }

    private init() throws {
        wires = [try Wire(), try Wire()]
        try wires[0].connect(to: wires[1])
        try wires[1].connect(to: wires[0])
        lines = ["alice", "bob"].enumerated().map { index, user in
            LineMachine.seeded(LineConfiguration(user: user, accepts: .anyone), seed: UInt64(index) * 10)
        }
        for line in lines.indices { try tell(line, .start) }
    }

    private mutating func call() throws {
        invited += 1
        let target = "sip:bob@127.0.0.1:\(wires[1].endpoint.port)"
        try tell(
            0, .command(.dial(CallID(.phone, invited), target: target, account: .direct, MediaEndpoint(port: 4_000))))
        try deliver()
        try tell(1, .command(.alert(CallID(.line(.direct), invited))))
        try tell(1, .command(.answer(CallID(.line(.direct), invited), MediaEndpoint(port: 5_000), awaitingACK: false)))
        try deliver()
        try tell(0, .command(.end(CallID(.phone, invited))))
        try deliver()
        guard ended == 2 * Int(invited) else { throw Mistake("call \(invited): \(ended) ends") }
        now = now + .seconds(1)
        for line in lines.indices where lines[line].deadline.map({ $0 <= now }) ?? false { try tell(line, .deadline) }
        try deliver()
    }

    /// Until nothing is in transit any more.
    private mutating func deliver() throws {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for line in lines.indices {
                while let bytes = wires[line].receive() {
                    isQuiet = false
                    try tell(line, .received(bytes, flow(of: line)))
                }
            }
        }
    }

    private mutating func tell(_ line: Int, _ input: LineInput) throws {
        for output in lines[line].handle(input, at: now) {
            switch output {
            case .send(let bytes, _): try wires[line].send(bytes)
            case .locate(let hop, _): try tell(line, .located(hop, [flow(of: line)]))
            case .event(.ended(_, let end)):
                guard end == .hungUpHere || end == .hungUpThere else { throw Mistake("ended: \(end)") }
                ended += 1
            default: break
            }
        }
    }

    private func flow(of line: Int) -> Flow {
        Flow(.udp, local: wires[line].endpoint, remote: wires[1 - line].endpoint)
    }
}

extension LineMachine {
    static func seeded(_ configuration: LineConfiguration, seed: UInt64) -> LineMachine {
        var next = seed
        // No server here challenges: nothing is hashed.
        let hashes = DigestHashes(md5: { $0 }, sha256: { $0 }, sha512256: { $0 })
        return LineMachine(
            configuration: configuration,
            makeGenerator: {
                next += 1
                return SeededGenerator(seed: next)
            }, hashes: hashes)
    }
}
