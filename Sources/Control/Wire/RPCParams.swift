import Base
import JSON
import PhoneCore

/// The named parameters of a request, parsed strictly: wrong types and unknown names are errors.
struct RPCParams: Equatable, Sendable {
    private let members: [String: JSONValue]
    /// The accounts' labels, by which a parameter may name an account.
    var labels: [AccountID: String] = [:]

    init(_ members: [String: JSONValue]) { self.members = members }

    /// Rejects unknown names, so that a misspelt one is not silently ignored.
    func allow(_ parameters: [MethodParameter]) throws(RPCError) {
        let names = parameters.map(\.name)
        if let stranger = members.keys.filter({ !names.contains($0) }).min() {
            let known = names.isEmpty ? "the method has none" : "known are \(names.joined(separator: ", "))"
            throw .invalidParams("there is no parameter \(stranger.prefix(64)); \(known)")
        }
    }

    func has(_ name: String) -> Bool { members[name] != nil }

    /// - Parameter limit: The longest text, in bytes.
    func text(_ name: String, limit: Int) throws(RPCError) -> String {
        guard let text = members[name]?.string else { throw .invalidParams("\(name) must be a text") }
        guard text.utf8.count <= limit else { throw .invalidParams("\(name) may have at most \(limit) bytes") }
        return text
    }

    func optionalText(_ name: String, limit: Int) throws(RPCError) -> String? {
        has(name) ? try text(name, limit: limit) : nil
    }

    /// A text to show to people, without control characters.
    func shownText(_ name: String, limit: Int) throws(RPCError) -> String {
        let shown = try text(name, limit: limit).shown(bytes: limit)
        guard !shown.isEmpty else { throw .invalidParams("\(name) contains no visible text") }
        return shown
    }

    func optionalShownText(_ name: String, limit: Int) throws(RPCError) -> String? {
        has(name) ? try shownText(name, limit: limit) : nil
    }

    /// Additional headers of a call, by name. Empty if the parameter is missing.
    func headers(_ name: String) throws(RPCError) -> [CallHeader] {
        guard let value = members[name] else { return [] }
        guard let object = value.object, object.count <= CallPresentation.headerLimit else {
            throw .invalidParams("\(name) must be an object of at most \(CallPresentation.headerLimit) texts")
        }
        var headers: [CallHeader] = []
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            guard let text = value.string, let header = CallHeader(name, text) else {
                throw .invalidParams(
                    """
                    \(name.shown(bytes: 64)) is no valid header: its name must begin with X-, and its value must be \
                    one line of at most \(CallHeader.valueBytes) bytes
                    """)
            }
            headers.append(header)
        }
        return headers
    }

    /// The identifier of a request.
    func identifier(_ name: String) throws(RPCError) -> JSONValue {
        switch members[name] {
        case .string(let text): return .string(text)
        case .integer(let number): return .integer(number)
        case .null: return .null
        case nil, .bool, .unsigned, .number, .array, .object:
            throw .invalidParams("\(name) must be the id of a request: a text or a whole number")
        }
    }

    func flag(_ name: String) throws(RPCError) -> Bool {
        guard let flag = members[name]?.bool else { throw .invalidParams("\(name) must be true or false") }
        return flag
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(RPCError) -> Int64 {
        guard let number = members[name]?.integer, range.contains(number) else {
            throw .invalidParams("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func optionalInteger(_ name: String, in range: ClosedRange<Int64>) throws(RPCError) -> Int64? {
        has(name) ? try integer(name, in: range) : nil
    }

    /// One of a few words.
    func choice<Value>(_ name: String, _ words: [(word: String, value: Value)]) throws(RPCError) -> Value {
        guard let text = members[name]?.string, let value = words.first(where: { $0.word == text })?.value else {
            throw .invalidParams("\(name) must be one of \(words.map(\.word).joined(separator: ", "))")
        }
        return value
    }

    /// One of an enumeration's raw values.
    func choice<Value: CaseIterable & RawRepresentable<String>>(_ name: String) throws(RPCError) -> Value {
        try choice(name, Value.allCases.map { ($0.rawValue, $0) })
    }

    /// Nil if the parameter is missing. Then the request applies to the only possible call.
    func call() throws(RPCError) -> CallID? { has("call") ? try call("call") : nil }

    func call(_ name: String) throws(RPCError) -> CallID {
        guard let call = CallID(try text(name, limit: 64)) else {
            throw .invalidParams("\(name) must be a call's identifier, such as out-3, in-1.7 or info-2")
        }
        return call
    }

    /// The account, by its number or label. Nil if the parameter is missing.
    func account() throws(RPCError) -> AccountID? {
        guard has("account") else { return nil }
        guard members["account"]?.string != nil else {
            return AccountID(try integer("account", in: 0...Int64.max))
        }
        let label = try text("account", limit: 256)
        guard let account = labels.first(where: { $0.value == label })?.key else {
            throw .invalidParams("there is no such account; known are \(labels.values.sorted())")
        }
        return account
    }

    func neededAccount() throws(RPCError) -> AccountID {
        guard let account = try account() else {
            throw .invalidParams("account must be the label or the number of an account")
        }
        return account
    }

    /// How many entries of a list the client has.
    func after() throws(RPCError) -> Int { Int(clamping: try optionalInteger("after", in: 0...Int64.max) ?? 0) }
}
