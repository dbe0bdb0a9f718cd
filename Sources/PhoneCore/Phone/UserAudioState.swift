import Base

/// A person at the phone, by handset, speaker or headset: what this person is about.
///
/// Closed is also a handset that lies beside the phone: at start, or after the howler. It dials again when it was
/// replaced and lifted; until then a call rings aloud, because nobody is listening.
enum UserAudioState: Equatable, Codable, Sendable {
    case closed
    /// Dial tone until the first digit.
    case collecting(DigitCollection)
    case inCall
    /// Told that something is over or wrong.
    case told(Tone, until: Instant)

    var due: Instant? {
        switch self {
        case .closed, .inCall: nil
        case .collecting(let collection): collection.until
        case .told(_, let until): until
        }
    }
}
