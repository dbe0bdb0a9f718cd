/// The meaning of a tone for the listener, ITU-T E.180.
public enum CallTone: String, CaseIterable, Sendable {
    case dial, stutterDial, ringback, busy, congestion, callWaiting, specialInformation, howler
}
