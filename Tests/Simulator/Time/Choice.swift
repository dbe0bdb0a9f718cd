/// One of several actions, each with a name and a weight.
///
/// The order of the cases is part of a seed's meaning.
package protocol Choice: CaseIterable, RawRepresentable, Sendable where RawValue == String {
    /// Its frequency, relative to the sum of all weights.
    var weight: Int { get }
}

extension Choice {
    /// All of them, for people.
    fileprivate static var table: String {
        let parts = allCases.map { "\($0.rawValue) \($0.weight)" }.joined(separator: ", ")
        return "\(Self.self) (\(parts))"
    }
}

extension Dice {
    mutating func choose<Option: Choice>(_ options: Option.Type) -> Option {
        var left = int(in: 0...Option.allCases.reduce(0) { $0 + $1.weight } - 1)
        for option in Option.allCases {
            if left < option.weight { return option }
            left -= option.weight
        }
        preconditionFailure("the weights cover every throw")
    }
}

/// All choices with their weights, for people.
package enum Choices {
    package static var table: String {
        [
            Answering.table, KnockingCall.table, Fiddling.table, HandingOver.table, Calling.table, Dialled.table,
            RogueRequest.table, Startling.table, Attacking.table,
        ].joined(separator: "; ")
    }
}
