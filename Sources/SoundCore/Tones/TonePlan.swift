/// All tones of one country and the rhythm of its ring.
public struct TonePlan: Equatable, Sendable {
    public let ring: RingCadence
    public let dial: ToneSpec
    public let stutterDial: ToneSpec
    public let ringback: ToneSpec
    public let busy: ToneSpec
    public let congestion: ToneSpec
    public let callWaiting: ToneSpec
    public let specialInformation: ToneSpec
    public let howler: ToneSpec

    /// The three rising notes that are the same everywhere (ITU-T E.180 §3.7).
    static let risingNotes: ToneSpec = "950/330 1400/330 1800/330 0/1000"
    /// Four notes that can be heard across a room. At -3 dBm0 their sum is just below full scale.
    static let fourNoteHowler = ToneSpec("1400+2060+2450+2600/100 0/100").at(level: -3)

    init(
        ring: [Int], dial: ToneSpec, stutterDial: ToneSpec? = nil, ringback: ToneSpec, busy: ToneSpec,
        congestion: ToneSpec, callWaiting: ToneSpec, specialInformation: ToneSpec = risingNotes,
        howler: ToneSpec = fourNoteHowler
    ) {
        guard let cadence = RingCadence(milliseconds: ring) else {
            preconditionFailure("a bell is on and off in turn")
        }
        self.ring = cadence
        self.dial = dial
        self.stutterDial = stutterDial ?? .stutter(dial)
        self.ringback = ringback
        self.busy = busy
        self.congestion = congestion
        self.callWaiting = callWaiting
        self.specialInformation = specialInformation
        self.howler = howler
    }

    public subscript(tone: CallTone) -> ToneSpec {
        switch tone {
        case .dial: dial
        case .stutterDial: stutterDial
        case .ringback: ringback
        case .busy: busy
        case .congestion: congestion
        case .callWaiting: callWaiting
        case .specialInformation: specialInformation
        case .howler: howler
        }
    }
}
