import Glibc
import Media
import PhoneCore
import SDPCore
import YAML

/// How voice is coded, protected and sent.
struct MediaSection: YAMLReadable {
    /// RTP uses even ports in this range, and RTCP the odd port above each.
    var firstPort: UInt16 = 16_384
    var lastPort: UInt16 = 17_383
    /// The codecs for voice, best first.
    var codecs = MediaCapabilities().codecs
    /// The SRTP suites to offer, best first.
    var suites = MediaCapabilities.usualSuites
    /// The length of the voice packets to offer.
    var packetMilliseconds = 20
    /// Opus complexity: 0 is cheapest, 10 is best. Default: as high as the machine can afford.
    var complexity = Self.affordableComplexity()
    /// How long the phone uses one certificate in handshakes.
    var certificate = MediaSettings.CertificateLife.phone
    /// How long a call may go on without any packet from its far end.
    var silenceTimeout = PhonePolicy().silenceTime

    /// Complexity 9 instead of 5 makes Opus sound a tenth of a point better (PESQ). On a desktop's processor it takes
    /// 10.4 instead of 5.8 ms of each second.
    static func affordableComplexity() -> Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) >= 4 ? 9 : 5 }

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        firstPort = try section.optional("first_port", .integer(in: 1_024...65_000), usual: firstPort)
        lastPort = try section.optional("last_port", .integer(in: 1_025...65_535), usual: lastPort)
        codecs = try section.optional(
            "codecs", .list(of: .choice(), count: 1...AudioCodec.allCases.count), usual: codecs)
        guard Set(codecs).count == codecs.count else { throw section.error("codecs", "a codec appears twice") }
        suites = try section.optional(
            "suites", .list(of: .choice(), count: 1...CryptoSuite.allCases.count), usual: suites)
        guard Set(suites).count == suites.count else { throw section.error("suites", "a suite appears twice") }
        packetMilliseconds =
            try section.optional(
                "packet", .choice(["10 ms": 10, "20 ms": 20, "40 ms": 40, "60 ms": 60]), usual: packetMilliseconds)
        complexity = try section.optional("complexity", .integer(in: 0...10), usual: complexity, varies: true)
        certificate = try section.optional("certificate", .choice(), usual: certificate)
        silenceTimeout =
            try section.optional(
                "silence_timeout", .duration(in: .seconds(6) ... .seconds(3_600)), usual: silenceTimeout)
        guard lastPort > firstPort + 8 else {
            throw section.error(
                "last_port", "must be at least 9 above first_port, because voice needs a range of ports")
        }
    }
}
