import Base
import JSON

extension RigPhone {
    /// The first of its calls, from its snapshot.
    public func firstCall() throws -> JSONValue? { try ask("getSnapshot")["calls"]?.array?.first }

    /// The protection of that call.
    public func protection() throws -> String? { try firstCall()?["protection"]?.string }

    /// The four words of that call. They follow the voice.
    public func words(upTo limit: Duration = .seconds(5)) throws -> String {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            if let words = try firstCall()?["words"]?.string { return words }
            MonotonicTime.sleep(.milliseconds(20))
        }
        throw Failure.noEvent(name: name, awaited: "words", last: [])
    }
}
