import Base
import Control
import JSON

extension RehearsedCall {
    /// Both read the four words of the call, and say that they agree.
    func compareWords() throws {
        let read = try [alice, bob].map(words)
        for (phone, words) in zip([alice, bob], read) {
            timeline.note("reads \(words)", who: phone.name, at: MonotonicTime.now)
        }
        let isSame = read[0] == read[1] && read[0].split(separator: " ").count == 4
        checks.expect("four words, the same", isSame, "alice: \(read[0]), bob: \(read[1])")
        // Nobody would say so.
        guard isSame else { return }
        for phone in [alice, bob] {
            let before = try protection(phone)
            try phone.ask("compareWords", ["agree": true])
            let after = try protection(phone)
            timeline.note("says that the words agree: \(after)", who: phone.name, at: MonotonicTime.now)
            checks.expect(
                "agreed at \(phone.name)", before == "dtls" && after == "verified", "\(before), then \(after)")
        }
    }

    private func call(_ phone: RigPhone) throws -> JSONValue? { try phone.ask("getSnapshot")["calls"]?.array?.first }

    private func protection(_ phone: RigPhone) throws -> String { try call(phone)?["protection"]?.string ?? "nothing" }

    /// They follow the voice.
    private func words(_ phone: RigPhone) throws -> String {
        let end = MonotonicTime.now + .seconds(5)
        while MonotonicTime.now < end {
            if let words = try call(phone)?["words"]?.string { return words }
            MonotonicTime.sleep(.milliseconds(20))
        }
        throw RigPhone.Failure.noEvent(name: phone.name, awaited: "words", last: [])
    }
}
