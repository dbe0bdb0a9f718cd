import Base
import SIPCore
import Testing

/// Goal: no bytes trap, and a parsed message round-trips. These messages have transmission errors;
/// `GrammarMutationTests` has programmers' errors. Method: 100,000 seeded mutants of the torture messages; a fifth of
/// them in an unoptimised build.
@Suite(.enabled(if: TortureFile.isPresent, "the files of RFC 4475 are not beside the repository"))
struct MutationTests {
    /// Characters with a meaning in SIP.
    private static let marks = Array("\r\n :;,<>\"\\%@?=/[]\0\t-0z\u{E9}".utf8)

    #if DEBUG
        private static let mutantsPerWorker = 5_000
    #else
        private static let mutantsPerWorker = 25_000
    #endif

    @Test(arguments: 0..<4)
    func mutantsNeverTrap(worker: Int) throws {
        let corpus = TortureFile.all.map(\.bytes)
        var random = SeededGenerator(seed: 0x51B + UInt64(worker))
        var (messages, valid) = (0, 0)
        for _ in 0..<Self.mutantsPerWorker {
            let mutant = Self.mutant(of: corpus, &random)
            do throws(SIPParseError) {
                let message = try parse(mutant)
                messages += 1
                if try parse(message.bytes) != message { Issue.record("not the same again: \(text(mutant))") }
                try message.validate()
                valid += 1
            } catch {
                #expect(error.offset <= mutant.count)
            }
        }
        // Enough mutants must get past the parser, or this tests little.
        #expect(messages > Self.mutantsPerWorker / 4)
        #expect(valid > Self.mutantsPerWorker / 20)
    }

    @Test func mutantStreamsNeverTrap() {
        let corpus = TortureFile.all.map(\.bytes)
        var random = SeededGenerator(seed: 0x57)
        for _ in 0..<2_000 {
            var framer = SIPStreamFramer()
            for _ in 0..<3 {
                for output in framer.receive(Self.mutant(of: corpus, &random).span) {
                    guard case .message(let bytes) = output else { continue }
                    #expect(!bytes.isEmpty)
                }
            }
        }
    }

    private static func mutant(of corpus: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = corpus[Int.random(in: 0..<corpus.count, using: &random)]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let other = Int.random(in: 0...bytes.count, using: &random)
            let span = min(place, other)..<min(max(place, other), min(place, other) + 24)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.removeSubrange(span)
            case 1: bytes.insert(contentsOf: bytes[span], at: place)
            case 2: bytes.insert(marks[Int.random(in: 0..<marks.count, using: &random)], at: place)
            case 3 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 3: bytes.removeAll()
            default: bytes.replaceSubrange(place..<min(place + 1, bytes.count), with: marks.suffix(1))
            }
        }
        return bytes
    }
}
