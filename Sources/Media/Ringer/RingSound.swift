import SoundCore

/// What the ringer is to play until told otherwise.
enum RingSound: Sendable {
    case nothing
    case tone(ToneSpec)
    /// Over and over. Never empty.
    case recording([Int16])
}
