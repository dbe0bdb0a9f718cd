/// A call was held in order to dial another one, for this purpose.
struct Consultation: Equatable, Codable, Sendable {
    enum Purpose: Equatable, Codable, Sendable { case talk, transfer, conference }

    let of: CallID
    var purpose: Purpose
}
