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
