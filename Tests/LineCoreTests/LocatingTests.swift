import Base
import LineCore
import SIPCore
import Testing

@Suite("Finding servers by name")
struct LocatingTests {
    /// A name server with a few records.
    struct Names {
        var naptr: [String: [NAPTRecord]] = [:]
        var srv: [String: [SRVRecord]] = [:]
        var hosts: [String: [String]] = [:]

        func answer(_ question: DNSQuestion) -> DNSAnswer {
            switch question {
            case .naptr(let name): naptr[name].map { .naptr($0) } ?? .nothing
            case .srv(let name): srv[name].map { .srv($0) } ?? .nothing
            case .addresses(let name): hosts[name].map { .addresses($0) } ?? .nothing
            }
        }
    }

    private static let all: Set<Flow.Transport> = [.udp, .tcp, .tls]

    private func find(
        _ hop: NextHop, _ names: Names, _ transports: Set<Flow.Transport> = Self.all, seed: UInt64 = 1
    ) -> (targets: [HopSearch.Target], questions: [DNSQuestion]) {
        var search = HopSearch(hop, transports: transports)
        var generator = SeededGenerator(seed: seed)
        var questions: [DNSQuestion] = []
        while let question = search.question {
            questions.append(question)
            search.receive(names.answer(question), using: &generator)
        }
        return (search.targets, questions)
    }

    private func srv(_ priority: UInt16, _ weight: UInt16, _ port: UInt16, _ target: String) -> SRVRecord {
        SRVRecord(priority: priority, weight: weight, port: port, target: target)
    }

    private func naptr(_ order: UInt16, _ service: String, _ replacement: String, flags: String = "s") -> NAPTRecord {
        NAPTRecord(order: order, preference: 0, flags: flags, service: service, replacement: replacement)
    }

    @Test("a numeric address needs no DNS", arguments: ["192.0.2.7", "2001:db8::7"])
    func numericAddressNeedsNoDNS(host: String) {
        let open = find(NextHop(host: host, transport: nil), Names())
        #expect(open.targets == [.init(.udp, .init(host, 5060))] && open.questions.isEmpty)
        #expect(find(NextHop(host: host, transport: .tls), Names()).targets == [.init(.tls, .init(host, 5061))])
        #expect(find(NextHop(host: host, port: 7, transport: .tcp), Names()).targets == [.init(.tcp, .init(host, 7))])
    }

    @Test("a given port skips SRV (RFC 3263 §4.2)")
    func givenPortSkipsSRV() {
        let names = Names(
            srv: ["_sip._udp.d.example": [srv(0, 0, 5080, "x.example")]], hosts: ["d.example": ["192.0.2.1"]])
        let found = find(NextHop(host: "d.example", port: 5070), names)
        #expect(
            found.targets == [.init(.udp, .init("192.0.2.1", 5070))] && found.questions == [.addresses("d.example")])
    }

    @Test("a given transport looks up its SRV, then the host")
    func givenTransportLooksUpItsSRVThenHost() {
        let names = Names(
            srv: ["_sips._tcp.d.example": [srv(2, 0, 5081, "b.example"), srv(1, 0, 5080, "a.example")]],
            hosts: ["a.example": ["192.0.2.1", "2001:db8::1"], "b.example": ["192.0.2.2"], "d.example": ["192.0.2.3"]])
        #expect(
            find(NextHop(host: "d.example", transport: .tls), names).targets == [
                .init(.tls, .init("192.0.2.1", 5080)), .init(.tls, .init("2001:db8::1", 5080)),
                .init(.tls, .init("192.0.2.2", 5081)),
            ])
        let plain = find(NextHop(host: "d.example", transport: .tcp), names)
        #expect(plain.targets == [.init(.tcp, .init("192.0.2.3", 5060))])
        #expect(plain.questions == [.srv("_sip._tcp.d.example"), .addresses("d.example")])
    }

    @Test("the domain's NAPTR order decides among the supported transports (RFC 3263 §4.1)")
    func domainNAPTROrderDecidesAmongSupportedTransports() {
        let names = Names(
            naptr: [
                "d.example": [
                    naptr(3, "SIP+D2U", "_sip._udp.d.example"),
                    naptr(1, "SIPS+D2T", "_sips._tcp.d.example", flags: "S"),
                    naptr(2, "SIP+D2T", "_sip._tcp.d.example"), naptr(0, "SIP+D2S", "_sip._sctp.d.example"),
                    naptr(0, "SIP+D2U", "trap.example", flags: "u"),
                ]
            ],
            srv: [
                "_sip._udp.d.example": [srv(0, 0, 5060, "h.example")],
                "_sip._tcp.d.example": [srv(0, 0, 5070, "h.example")],
                "_sips._tcp.d.example": [srv(0, 0, 5061, "h.example")],
            ], hosts: ["h.example": ["192.0.2.1"]])
        let hop = NextHop(host: "d.example", transport: nil)
        #expect(find(hop, names).targets.map(\.transport) == [.tls, .tcp, .udp])
        #expect(find(hop, names, [.udp, .tcp]).targets.map(\.remote.port) == [5070, 5060])
        #expect(find(hop, names).questions.count == 7)
    }

    @Test("without NAPTR each SRV is looked up, then the host")
    func withoutNAPTREachSRVIsLookedUpThenHost() {
        let names = Names(
            srv: ["_sip._tcp.d.example": [srv(0, 0, 5070, "h.example")]], hosts: ["h.example": ["192.0.2.1"]])
        let hop = NextHop(host: "d.example", transport: nil)
        #expect(find(hop, names).targets == [.init(.tcp, .init("192.0.2.1", 5070))])
        let bare = Names(hosts: ["d.example": ["192.0.2.9"]])
        #expect(find(hop, bare).targets == [.init(.udp, .init("192.0.2.9", 5060))])
        #expect(find(hop, Names()).targets.isEmpty && find(hop, Names()).questions.count == 5)
    }

    @Test("a domain that denies a service is believed")
    func domainThatDeniesServiceIsBelieved() {
        let names = Names(srv: ["_sip._udp.d.example": [srv(0, 0, 0, "")]], hosts: ["d.example": ["192.0.2.1"]])
        #expect(find(NextHop(host: "d.example"), names).targets.isEmpty)
    }

    @Test("load is shared by weight within a priority (RFC 2782)")
    func loadIsSharedByWeightWithinPriority() {
        let names = Names(
            srv: [
                "_sip._udp.d.example": [
                    srv(1, 3, 5060, "a.example"), srv(1, 1, 5060, "b.example"), srv(1, 0, 5060, "c.example"),
                    srv(2, 9, 5060, "d.example"),
                ]
            ],
            hosts: [
                "a.example": ["192.0.2.1"], "b.example": ["192.0.2.2"], "c.example": ["192.0.2.3"],
                "d.example": ["192.0.2.4"],
            ])
        var firsts: [String: Int] = [:]
        for seed in 0..<2_000 {
            let hosts = find(NextHop(host: "d.example"), names, seed: UInt64(seed)).targets.map(\.remote.host)
            #expect(hosts.count == 4 && hosts.last == "192.0.2.4")
            firsts[hosts[0], default: 0] += 1
        }
        // Five draws for four units of weight: the smallest one chooses the target with weight zero.
        #expect((1_100...1_300).contains(firsts["192.0.2.1"] ?? 0) && (330...470).contains(firsts["192.0.2.2"] ?? 0))
        #expect((330...470).contains(firsts["192.0.2.3"] ?? 0))
    }

    @Test("only a bounded number of a domain's servers is followed")
    func onlyBoundedNumberOfDomainServersIsFollowed() {
        let many = (0..<1_000).map { srv(0, 0, 5060, "h\($0).example") }
        var hosts: [String: [String]] = [:]
        for index in 0..<1_000 { hosts["h\(index).example"] = (0..<50).map { "192.0.\(index % 250).\($0)" } }
        let found = find(NextHop(host: "d.example"), Names(srv: ["_sip._udp.d.example": many], hosts: hosts))
        #expect(found.targets.count == HopSearch.limit && found.questions.count <= 2 + HopSearch.limit)
    }
}
