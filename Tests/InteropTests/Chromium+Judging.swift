import Bench
import Rig
import Testing

/// Whether the people at a browser and at a phone understand each other.
extension Chromium {
    /// Both speak at the same time. Unclear speech is repeated, as the machine may have stalled.
    func expectUnderstood(
        with phone: RigPhone, in workplace: Workplace, isTranscoded: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let limit = Similarity.understood(isTranscoded: isTranscoded)
        func isUnderstood(_ similarity: Similarity?) -> Bool {
            similarity.map { $0.segmentalRatioDecibels >= limit } ?? false
        }
        var (here, there): (Similarity?, Similarity?)
        for _ in 0..<3 where !(isUnderstood(here) && isUnderstood(there)) {
            (here, there) = try converse(phone, workplace)
        }
        print("browser to phone: \(here.map { "\($0)" } ?? "not heard")")
        print("phone to browser: \(there.map { "\($0)" } ?? "not heard")")
        #expect(isUnderstood(here), "the browser was not understood", sourceLocation: sourceLocation)
        #expect(isUnderstood(there), "the phone was not understood", sourceLocation: sourceLocation)
    }

    /// - Returns: The browser's person as heard at the phone, and the phone's person as heard in the browser.
    private func converse(_ phone: RigPhone, _ workplace: Workplace) throws -> (Similarity?, Similarity?) {
        let (alice, bob) = (workplace.alice, workplace.bob)
        try record()
        let start = Wire.now
        phone.mouth.say(alice.samples, at: start)
        try say(bob)
        let longest = max(alice.samples.count, bob.samples.count) + 5 * Wire.rate / 2
        Wire.sleep(untilFrame: start + longest)
        let heard = phone.ear.heard(start..<start + longest)
        return (
            // On a busy machine the browser takes a while before it speaks.
            Similarity(said: bob.samples, heard: heard, longestDelay: 2_000),
            Similarity(said: alice.samples, heard: try recorded().samples, longestDelay: 2_000)
        )
    }
}
