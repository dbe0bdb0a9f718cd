/// A call was put aside in order to dial another one, and for what.
struct Consultation: Equatable, Codable, Sendable {
    enum Purpose: Equatable, Codable, Sendable { case talk, transfer, conference }

    let of: CallID
    var purpose: Purpose
}
