import JSON

/// A Verto core with the lines of an input: frames, results and errors for requests, the owner's requests, and time.
protocol VertoFuzz: ClockedFuzz {
    /// The unanswered requests; the oldest first.
    var asked: [JSONValue] { get set }

    mutating func connect()
    mutating func disconnect()
    mutating func opened()
    mutating func notFound()
    mutating func closed()
    mutating func changePath()
    mutating func command(_ words: ArraySlice<UInt8>)
    mutating func receive(_ text: String)
}

extension VertoFuzz {
    private static var askedLimit: Int { 64 }

    mutating func take(_ line: ArraySlice<UInt8>) {
        let rest = line.dropFirst()
        switch line.first.map({ Character(Unicode.Scalar($0)) }) {
        case ">": opened()
        case "?": notFound()
        case "<": closed()
        case "~": changePath()
        case "C": connect()
        case "D": disconnect()
        case "=": answer("result", rest, oldest: true)
        case "+": answer("result", rest, oldest: false)
        case "!": answer("error", rest, oldest: true)
        case ".": run(for: .milliseconds(100 * Int64(rest.first ?? 0)))
        case ",": run(for: .seconds(Int64(rest.first ?? 0)))
        case "@": command(rest)
        default: receive(String(decoding: line, as: UTF8.self))
        }
    }

    private mutating func answer(_ member: String, _ rest: ArraySlice<UInt8>, oldest: Bool) {
        guard !asked.isEmpty else { return }
        let id = oldest ? asked.removeFirst() : asked.removeLast()
        receive("{\"id\":\(id.text),\"\(member)\":\(String(decoding: rest, as: UTF8.self))}")
    }

    /// The sent frames. The server may answer the requests among them.
    mutating func sent(_ frame: JSONValue) {
        guard frame["method"] != nil, let id = frame["id"] else { return }
        asked.append(id)
        if asked.count > Self.askedLimit { asked.removeFirst() }
    }
}
