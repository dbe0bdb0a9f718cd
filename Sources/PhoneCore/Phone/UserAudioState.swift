import Base

/// A person's activity at the phone, by handset, speaker or headset.
///
/// `closed` also applies to a handset that lies beside the phone: at start, or after the howler. It gives a dial tone
/// only after it was replaced and lifted. Until then a call rings aloud, because no person is listening.
enum UserAudioState: Equatable, Codable, Sendable {
    case closed
    /// Dial tone until the first digit.
    case collecting(DigitCollection)
    case inCall
    /// The person speaks a page. No call has the audio focus.
    case paging(SentPage)
    /// The person hears a tone that reports an end or a fault.
    case told(Tone, until: Instant)

    var due: Instant? {
        switch self {
        case .closed, .inCall: nil
        case .collecting(let collection): collection.until
        case .paging(let page): page.until
        case .told(_, let until): until
        }
    }
}

/// A call was held in order to dial another one, for this purpose.
struct Consultation: Equatable, Codable, Sendable {
    enum Purpose: Equatable, Codable, Sendable { case talk, transfer, conference }

    let of: CallID
    var purpose: Purpose
}

/// A person hung up and left this call on hold. The phone rings for it until `until`.
struct Recall: Equatable, Codable, Sendable {
    let call: CallID
    let until: Instant
}

/// Whether something more important has the sound device.
enum Interruption: Equatable, Codable, Sendable {
    case none
    /// The calls wait until it ends. At this instant the calls that are not held are put on hold.
    case waiting(until: Instant)
    case lasting
}
