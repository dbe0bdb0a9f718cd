import AllocationWatch
import Glibc
import SIPCore

/// Nanoseconds and allocations a message, for each of its files: `FILE WORK NANOSECONDS ALLOCATIONS`.
enum ParseBench {
    /// The work on a message. Each adds to its result, so nothing can be optimised away.
    private static let works: [(name: String, work: @Sendable ([UInt8], SIPMessage) throws -> Int)] = [
        ("parse", { bytes, _ in try SIPMessage(bytes.span).headers.count }),
        ("validate", { bytes, _ in try validated(bytes).headers.count }),
        ("typed", { bytes, _ in try typed(validated(bytes)) }),
        ("write", { _, message in message.bytes.count }),
    ]

    /// The kernel's name of this thread: the first letters of the program's name.
    private static let ownName =
        String(CommandLine.arguments[0].split(separator: "/").last?.prefix(15) ?? "")

    static func run(files: ArraySlice<String>) throws {
        for file in files {
            let bytes = try load(file)
            let message = try validated(bytes)
            for (name, work) in works {
                let used = try measure(work, bytes, message)
                print(file, name, String(Int(used.nanoseconds)), used.allocations)
            }
        }
    }

    private static func measure(
        _ work: ([UInt8], SIPMessage) throws -> Int, _ bytes: [UInt8], _ message: SIPMessage
    ) throws -> (nanoseconds: Double, allocations: Int) {
        var sum = try work(bytes, message)
        allocation_watch_begin(ownName)
        sum += try work(bytes, message)
        let allocations = allocation_watch_made()
        allocation_watch_begin(nil)

        let (start, duration) = (Clock.processor, 200e6)
        var rounds = 0
        while Clock.processor - start < duration {
            for _ in 0..<256 { sum &+= try work(bytes, message) }
            rounds += 256
        }
        let used = Clock.processor - start
        guard sum > 0 else { throw Mistake("nothing was done") }
        return (used / Double(rounds), allocations)
    }

    private static func validated(_ bytes: [UInt8]) throws -> SIPMessage {
        let message = try SIPMessage(bytes.span)
        try message.validate()
        return message
    }

    /// The values that libre has after decoding a message, and its Contact.
    private static func typed(_ message: SIPMessage) throws -> Int {
        let headers = message.headers
        let via = try headers.topVia
        let (from, to, contacts) = (try headers.from, try headers.to, try headers.contacts)
        return via.host.utf8.count + from.parameters.all.count + to.parameters.all.count + contacts.count
            + Int(try headers.cSeq.number)
    }

    private static func load(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw Mistake("cannot open \(path)") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: SIPLimits.message)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return bytes
    }
}
