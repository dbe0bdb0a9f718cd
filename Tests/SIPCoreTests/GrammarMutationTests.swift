import Base
import SIPCore
import Testing

/// Goal: messages with every grammatical oddity neither trap, nor change on the wire, nor pass validation with an
/// unreadable header. Method: 100,000 seeded messages; a fifth of them in an unoptimised build.
@Suite struct GrammarMutationTests {
    #if DEBUG
        private static let messagesPerWorker = 5_000
    #else
        private static let messagesPerWorker = 25_000
    #endif

    /// The project's own messages, and those of RFC 4475 if they are beside the repository.
    private static let corpus = SampleMessage.all + (TortureFile.isPresent ? TortureFile.all.map(\.bytes) : [])

    @Test(arguments: 0..<4)
    func mutatedMessagesAreReadOrRejected(worker: Int) {
        var mutator = GrammarMutator(seed: 0x6A4 + UInt64(worker), corpus: Self.corpus)
        var layer = TransactionLayer(identifiers: .seeded(), limit: 32)
        var (messages, valid) = (0, 0)
        for number in 0..<Self.messagesPerWorker {
            let bytes = mutator.next()
            do throws(SIPParseError) {
                let message = try parse(bytes)
                messages += 1
                checkRoundTrip(message, from: bytes)
                if isConsistent(message, from: bytes) { valid += 1 }
            } catch {
                #expect(error.offset <= bytes.count)
            }
            // A second for each: transactions come and go.
            let now = Instant.zero + .seconds(number)
            for effect in layer.receive(bytes.span, over: .test(.udp), at: now) + layer.deadlineReached(at: now) {
                if case .send(let answer, _) = effect, (try? parse(answer)) == nil {
                    Issue.record("an answer that cannot be read: \(text(answer))")
                }
            }
        }
        // Enough must get past the parser, and some must not, or this tests little.
        #expect((Self.messagesPerWorker / 4..<Self.messagesPerWorker).contains(messages))
        #expect((Self.messagesPerWorker / 20..<messages).contains(valid))
    }

    private func checkRoundTrip(_ message: SIPMessage, from bytes: [UInt8]) {
        let written = message.bytes
        do throws(SIPParseError) {
            let back = try parse(written)
            if back != message || back.bytes != written { Issue.record("not the same again: \(text(bytes))") }
        } catch {
            Issue.record("written, and cannot be read (\(error)): \(text(bytes))")
        }
    }

    /// Validation reads shapes, which must agree with the values.
    private func isConsistent(_ message: SIPMessage, from bytes: [UInt8]) -> Bool {
        let headers = message.headers
        let isValid = (try? message.validate()) != nil
        if isValid {
            do throws(SIPParseError) {
                _ = (try headers.topVia, try headers.from, try headers.to, try headers.callID, try headers.cSeq)
            } catch {
                Issue.record("valid, and cannot be read (\(error)): \(text(bytes))")
            }
        }
        return isValid
    }
}
