import PhoneCore

/// The named parameters of a request, read strictly: a wrong type, and a name that means nothing, are errors.
struct RPCParams: Equatable, Sendable {
    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    /// Says which names a method knows, so that a misspelt one is not silently ignored.
    func allow(_ names: String...) throws(RPCError) {
        if let stranger = members.keys.filter({ !names.contains($0) }).min() {
            let known = names.isEmpty ? "it takes none" : "it takes \(names.joined(separator: ", "))"
            throw .invalidParams("no parameter is named \(stranger.prefix(64)); \(known)")
        }
    }

    /// - Parameter limit: The longest text, in bytes.
    func text(_ name: String, limit: Int) throws(RPCError) -> String {
        guard let text = members[name]?.string else { throw .invalidParams("\(name) must be a text") }
        guard text.utf8.count <= limit else { throw .invalidParams("\(name) has at most \(limit) bytes") }
        return text
    }

    func flag(_ name: String) throws(RPCError) -> Bool {
        guard let flag = members[name]?.bool else { throw .invalidParams("\(name) must be true or false") }
        return flag
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(RPCError) -> Int64? {
        guard let value = members[name] else { return nil }
        guard let number = value.integer, range.contains(number) else {
            throw .invalidParams("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Nil when it is left out: "the one it can only mean".
    func call() throws(RPCError) -> CallID? {
        guard members["call"] != nil else { return nil }
        let text = try text("call", limit: 64)
        guard let call = CallID(text) else { throw .invalidParams("call must be named like out-3 or in-1.7") }
        return call
    }
}
