import Base
import Control
import JSON

extension RehearsedCall {
    /// Both read the four words of the call, and confirm that they match.
    func compareWords() throws {
        let read = try [alice, bob].map { phone in try phone.words() }
        for (phone, words) in zip([alice, bob], read) {
            timeline.note("reads \(words)", who: phone.name, at: MonotonicTime.now)
        }
        let isSame = read[0] == read[1] && read[0].split(separator: " ").count == 4
        checks.expect("four words, the same", isSame, "alice: \(read[0]), bob: \(read[1])")
        // No person would confirm that.
        guard isSame else { return }
        for phone in [alice, bob] {
            let before = try phone.protection() ?? "nothing"
            try phone.ask("compareWords", ["agree": true])
            let after = try phone.protection() ?? "nothing"
            timeline.note("says that the words agree: \(after)", who: phone.name, at: MonotonicTime.now)
            checks.expect(
                "agreed at \(phone.name)", before == "dtls" && after == "verified", "\(before), then \(after)")
        }
    }
}
