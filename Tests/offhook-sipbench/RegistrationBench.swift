import AllocationWatch
import Base
import Glibc
import LineCore
import SIPCore

/// The memory of a registered, idle line.
enum RegistrationBench {
    static func run(lines count: Int) throws {
        let warm = try registered(0)
        var lines: [LineMachine] = []
        lines.reserveCapacity(count)
        let (heap, resident) = (allocation_watch_held(), try residentBytes())
        for number in 1...count { lines.append(try registered(number)) }
        let used = (allocation_watch_held() - heap) / count
        let pages = (try residentBytes() - resident) / count
        guard warm.deadline != nil, lines.allSatisfy({ $0.deadline != nil }) else {
            throw Mistake("nothing to refresh")
        }
        print("registrations", count, "heap", used, "inline", MemoryLayout<LineMachine>.stride, "resident", pages)
    }

    /// A line whose REGISTER was answered, a minute ago.
    private static func registered(_ number: Int) throws -> LineMachine {
        let account = LineConfiguration.Account(
            domain: "example.org", server: NextHop(host: "192.0.2.1", port: 5060, transport: .udp))
        var line = LineMachine.seeded(
            LineConfiguration(user: "\(1000 + number)", account: account), seed: UInt64(number) * 10)
        var waiting = [LineInput.start]
        var isRegistered = false
        while let input = waiting.popLast() {
            for output in line.handle(input, at: .zero) {
                switch output {
                case .locate(let hop, _): waiting.append(.located(hop, [flow]))
                case .send(let bytes, _): waiting.append(.received(try answer(to: bytes), flow))
                case .event(.registration(_, .registered)): isRegistered = true
                default: break
                }
            }
        }
        guard isRegistered else { throw Mistake("not registered") }
        let later = Instant.zero + .seconds(60)
        while let due = line.deadline, due <= later { _ = line.handle(.deadline, at: due) }
        return line
    }

    private static let flow = Flow(.udp, local: .init("192.0.2.2", 5060), remote: .init("192.0.2.1", 5060))

    private static func answer(to bytes: [UInt8]) throws -> [UInt8] {
        guard case .request(let request) = try SIPMessage(bytes.span), let contact = request.headers[.contact]
        else { throw Mistake("no REGISTER") }
        var response = request.response(.ok, tag: "registrar")
        response.headers[.contact] = contact + ";expires=600"
        return response.bytes
    }

    private static func residentBytes() throws -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { throw Mistake("no statm") }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard fgets(&text, Int32(text.count), file) != nil else { throw Mistake("no statm") }
        let words = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self).split(separator: " ")
        guard words.count > 1, let pages = Int(words[1]) else { throw Mistake("no statm") }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
