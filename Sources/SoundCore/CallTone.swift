/// What a tone tells the person who hears it, ITU-T E.180.
public enum CallTone: String, CaseIterable, Sendable {
    case dial, stutterDial, ringback, busy, congestion, callWaiting, specialInformation, howler
}
