/// A value for one parameter of a statement.
enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
    init(_ number: Int64?) { self = number.map(SQLValue.integer) ?? .null }
    init(_ number: Double?) { self = number.map(SQLValue.real) ?? .null }
    init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
