import SoundCore

/// The sound that the ringer plays until the next order.
enum RingSound: Sendable {
    case nothing
    case tone(ToneSpec)
    /// Repeated until the next order. Never empty.
    case recording([Int16])
}
