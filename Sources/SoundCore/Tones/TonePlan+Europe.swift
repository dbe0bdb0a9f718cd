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
