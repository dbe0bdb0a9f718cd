/// The meaning of a tone for the listener, ITU-T E.180.
public enum CallTone: String, CaseIterable, Sendable {
    case dial, stutterDial, ringback, busy, congestion, callWaiting, specialInformation, howler
}

/// All tones of one country and the rhythm of its ring.
public struct TonePlan: Equatable, Sendable {
    public let ring: RingToneCadence
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
        guard let cadence = RingToneCadence(milliseconds: ring) else {
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

/// A country with built-in tones. The raw value is its ISO 3166 code in capitals.
public enum ToneCountry: String, CaseIterable, Sendable {
    case us = "US"
    case gb = "GB"
    case de = "DE"
    case fr = "FR"
    case it = "IT"
    case es = "ES"
    case nl = "NL"
    case ch = "CH"
    case at = "AT"
    case be = "BE"
    case dk = "DK"
    case se = "SE"
    case no = "NO"
    case fi = "FI"
    case pl = "PL"
    case jp = "JP"
    case cn = "CN"
    case `in` = "IN"
    case au = "AU"
    case nz = "NZ"
    case br = "BR"
    case za = "ZA"
}

extension ToneCountry {
    /// The country's tones. The first access to each plan parses the table and allocates, so it belongs at the start.
    public var plan: TonePlan {
        switch self {
        case .us: .us
        case .gb: .gb
        case .de: .de
        case .fr: .fr
        case .it: .it
        case .es: .es
        case .nl: .nl
        case .ch: .ch
        case .at: .at
        case .be: .be
        case .dk: .dk
        case .se: .se
        case .no: .no
        case .fi: .fi
        case .pl: .pl
        case .jp: .jp
        case .cn: .cn
        case .in: .in
        case .au: .au
        case .nz: .nz
        case .br: .br
        case .za: .za
        }
    }
}

/// European networks, after ITU-T E.180 supplement 2. The default stutter dial tone is the dial tone, interrupted ten
/// times.
extension TonePlan {
    static let gb = TonePlan(
        ring: [400, 200, 400, 2000], dial: "350+440", stutterDial: "350+440/750 440/750",
        ringback: "400+450/400 0/200 400+450/400 0/2000",
        busy: "400/375 0/375",
        congestion: "400/400 0/350 400/225 0/525",
        callWaiting: "400/100 0/4000")

    static let de = TonePlan(
        ring: [1000, 4000], dial: "425", stutterDial: "425+400",
        ringback: "425/1000 0/4000", busy: "425/480 0/480", congestion: "425/240 0/240",
        callWaiting: "425/200 0/200 425/200 0/5000")

    static let fr = TonePlan(
        ring: [1500, 3500], dial: "440",
        ringback: "440/1500 0/3500", busy: "440/500 0/500", congestion: "440/250 0/250",
        callWaiting: "440/300 0/10000")

    static let it = TonePlan(
        ring: [1000, 4000], dial: "425/200 0/200 425/600 0/1000", stutterDial: "470/400 425/400",
        ringback: "425/1000 0/4000", busy: "425/500 0/500", congestion: "425/200 0/200",
        callWaiting: "425/400 0/100 425/250 0/100 425/150 0/14000")

    static let es = TonePlan(
        ring: [1500, 3000], dial: "425", stutterDial: "425/1000 0/100",
        ringback: "425/1500 0/3000", busy: "425/200 0/200", congestion: "425/200 0/200 425/200 0/200 425/200 0/600",
        callWaiting: "425/175 0/175 425/175 0/3500")

    static let nl = TonePlan(
        ring: [1000, 4000], dial: "425", stutterDial: "425/500 0/50",
        ringback: "425/1000 0/4000", busy: "425/500 0/500", congestion: "425/250 0/250",
        callWaiting: "425/500 0/9500")

    static let ch = TonePlan(
        ring: [1000, 4000], dial: "425", stutterDial: "425+340/1100 0/1100",
        ringback: "425/1000 0/4000", busy: "425/500 0/500", congestion: "425/200 0/200",
        callWaiting: "425/200 0/200 425/200 0/4000")

    static let at = TonePlan(
        ring: [1000, 5000], dial: "420", stutterDial: "380+420",
        ringback: "420/1000 0/5000", busy: "420/400 0/400", congestion: "420/200 0/200",
        callWaiting: "420/40 0/1960")

    static let be = TonePlan(
        ring: [1000, 3000], dial: "425", stutterDial: "425/1000 0/250",
        ringback: "425/1000 0/3000", busy: "425/500 0/500", congestion: "425/167 0/167",
        callWaiting: "1400/175 0/175 1400/175 0/3500", specialInformation: "900/330 1400/330 1800/330 0/1000")

    static let dk = TonePlan(
        ring: [1000, 4000], dial: "425", stutterDial: "425/450 0/50",
        ringback: "425/1000 0/4000", busy: "425/500 0/500", congestion: "425/200 0/200",
        callWaiting: "425/200 0/600 425/200 0/3000")

    static let se = TonePlan(
        ring: [1000, 5000], dial: "425", stutterDial: "425/320 0/20",
        ringback: "425/1000 0/5000", busy: "425/250 0/250", congestion: "425/250 0/750",
        callWaiting: "425/200 0/500 425/200 0/9100")

    static let no = TonePlan(
        ring: [1000, 4000], dial: "425", stutterDial: "470/400 425/400",
        ringback: "425/1000 0/4000", busy: "425/500 0/500", congestion: "425/200 0/200",
        callWaiting: "425/200 0/600 425/200 0/10000")

    static let fi = TonePlan(
        ring: [1000, 4000], dial: "425", stutterDial: "425/650 0/25",
        ringback: "425/1000 0/4000", busy: "425/300 0/300", congestion: "425/200 0/200",
        callWaiting: "425/150 0/150 425/150 0/8000")

    static let pl = TonePlan(
        ring: [1000, 4000], dial: "425",
        ringback: "425/1000 0/4000", busy: "425/500 0/500", congestion: "425/500 0/500",
        callWaiting: "425/150 0/150 425/150 0/4000")
}

/// Other networks, after ITU-T E.180 supplement 2. The default stutter dial tone is the dial tone, interrupted ten
/// times.
extension TonePlan {
    static let us = TonePlan(
        ring: [2000, 4000], dial: "350+440",
        ringback: "440+480/2000 0/4000", busy: "480+620/500 0/500", congestion: "480+620/250 0/250",
        callWaiting: "440/300 0/10000")

    static let jp = TonePlan(
        ring: [1000, 2000], dial: "400", stutterDial: "400/125 0/125",
        ringback: "400*16/1000 0/2000", busy: "400/500 0/500", congestion: "400/500 0/500",
        callWaiting: "400*16/500 0/8000")

    static let cn = TonePlan(
        ring: [1000, 4000], dial: "450", stutterDial: "450/400 0/40",
        ringback: "450/1000 0/4000", busy: "450/350 0/350", congestion: "450/700 0/700",
        callWaiting: "450/400 0/4000")

    static let `in` = TonePlan(
        ring: [400, 200, 400, 2000], dial: "400*25",
        ringback: "400*25/400 0/200 400*25/400 0/2000", busy: "400/750 0/750", congestion: "400/250 0/250",
        callWaiting: "400/200 0/100 400/200 0/7500")

    static let au = TonePlan(
        ring: [400, 200, 400, 2000], dial: "413+438", stutterDial: "413+438/100 0/40",
        ringback: "413+438/400 0/200 413+438/400 0/2000",
        busy: "425/375 0/375",
        congestion: "425/375 0/375 420/375 0/375",
        callWaiting: "425/200 0/200 425/200 0/4400")

    static let nz = TonePlan(
        ring: [400, 200, 400, 2000], dial: "400",
        ringback: "400+450/400 0/200 400+450/400 0/2000", busy: "400/500 0/500", congestion: "400/250 0/250",
        callWaiting: "400/200 0/3000", specialInformation: "400/750 0/100 400/750 0/100 400/750 0/100 400/750 0/400")

    static let br = TonePlan(
        ring: [1000, 4000], dial: "425",
        ringback: "425/1000 0/4000", busy: "425/250 0/250", congestion: "425/250 0/250 425/750 0/250",
        callWaiting: "425/50 0/1000")

    static let za = TonePlan(
        ring: [400, 200, 400, 2000], dial: "400*33",
        ringback: "400*33/400 0/200 400*33/400 0/2000", busy: "400/500 0/500", congestion: "400/250 0/250",
        callWaiting: "400*33/250 0/250 400*33/250 0/3250")
}
