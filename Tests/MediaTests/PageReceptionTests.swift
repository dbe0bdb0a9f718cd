import Base
import Media
import RTPCore
import Testing

/// The packets that count as a page, in simulated time.
@Suite
struct PageReceptionTests {
    private static let sender = TransportAddress(host: "192.0.2.1", port: 5_000)
    private static let other = TransportAddress(host: "192.0.2.2", port: 5_000)

    private var reception = PageReception(timeout: .seconds(1))

    private func take(
        _ sequence: UInt16, source: UInt32 = 1, from sender: TransportAddress? = sender, type: UInt8 = 0,
        at seconds: Double,
        _ reception: inout PageReception
    ) throws -> PageReception.Verdict {
        let header = RTPHeader(payloadType: type, sequence: sequence, timestamp: 0, source: source)
        return reception.receive(header, from: try #require(sender), at: .zero + .milliseconds(Int(seconds * 1_000)))
    }

    @Test(arguments: [0, 1, 32_767, 65_535] as [UInt16])
    func pageStartsAfterTwoPacketsInOrder(first: UInt16) throws {
        var page = reception
        #expect(try take(first, at: 0, &page) == .awaited)
        #expect(!page.isPaging)
        #expect(try take(first &+ 1, at: 0.02, &page) == .heard)
        #expect(page.isPaging && page.payloadType == 0)
    }

    @Test
    func strayPacketsAreNoPage() throws {
        var page = reception
        #expect(try take(1, at: 0, &page) == .awaited)
        #expect(try take(1, at: 0.02, &page) == .awaited, "the same again")
        #expect(try take(40_000, at: 0.04, &page) == .awaited, "not in order")
        #expect(try take(40_001, source: 2, at: 0.06, &page) == .awaited, "another source")
        #expect(try take(40_002, source: 2, from: Self.other, at: 0.08, &page) == .awaited, "another address")
        #expect(try take(40_003, source: 2, from: Self.other, type: 8, at: 0.1, &page) == .awaited, "another codec")
        #expect(try take(40_004, source: 2, from: Self.other, type: 8, at: 1.1, &page) == .awaited, "much later")
        #expect(!page.isPaging && page.deadline == nil)
    }

    @Test
    func senderKeepsGroupUntilSilent() throws {
        var page = reception
        _ = try take(1, at: 0, &page)
        _ = try take(2, at: 0.02, &page)
        #expect(try take(1, source: 2, at: 0.03, &page) == .stranger)
        #expect(try take(3, from: Self.other, at: 0.03, &page) == .stranger, "a forged source")
        #expect(try take(3, type: 8, at: 0.04, &page) == .misfit)
        #expect(page.deadline == .zero + .milliseconds(1_020), "strangers do not prolong it")
        page.expire(at: .zero + .milliseconds(1_019))
        #expect(page.isPaging)
        page.expire(at: .zero + .milliseconds(1_020))
        #expect(!page.isPaging)
        #expect(try take(2, source: 2, at: 1.1, &page) == .awaited)
        #expect(try take(3, source: 2, at: 1.12, &page) == .heard)
    }

    @Test(arguments: [
        ("224.0.0.1", true), ("239.255.255.255", true), ("223.255.255.255", false), ("240.0.0.1", false),
        ("ff05::1", true), ("ff0e::1", true), ("ff02::1", false), ("fe80::1", false), ("::ffff:239.1.1.1", true),
        ("group", false),
    ])
    func groupsAreIdentifiedByAddress(address: String, isGroup: Bool) {
        #expect(MediaSettings.PageGroup.isGroup(address) == isGroup)
    }

    /// Otherwise one host could keep the group, and the loudspeaker, forever.
    @Test
    func overlongPagerIsDroppedUntilSilent() throws {
        var page = PageReception(timeout: .seconds(1), longest: .seconds(10))
        for second in 0...10 { _ = try take(UInt16(2 * second), at: Double(second) * 0.9, &page) }
        #expect(page.isPaging, "9 seconds are no fault")
        _ = try take(30, at: 9.9, &page)
        #expect(page.deadline == .zero + .milliseconds(10_900))
        #expect(try take(32, at: 10.9, &page) == .exhausted)
        #expect(!page.isPaging)
        #expect(try take(1, source: 7, from: TransportAddress(host: "192.0.2.1", port: 9), at: 20, &page) == .exhausted)
        #expect(try take(2, source: 7, from: Self.other, at: 20, &page) == .awaited, "another host may page")
        #expect(try take(3, source: 7, from: Self.other, at: 20.1, &page) == .heard)
        #expect(try take(40, at: 49.9, &page) == .exhausted, "it was not silent for 30 seconds")
        #expect(try take(4, source: 7, from: Self.other, at: 60, &page) == .awaited, "its page was short")
        #expect(try take(41, at: 80, &page) == .awaited)
        #expect(try take(42, at: 80.1, &page) == .heard)
    }

    @Test
    func onlyListedHostsMayPage() throws {
        let listed = try #require(IPAddress("192.0.2.2"))
        var page = PageReception(timeout: .seconds(1), sources: [listed])
        for sequence in 1...3 { #expect(try take(UInt16(sequence), at: 0, &page) == .stranger) }
        #expect(try take(1, from: Self.other, at: 0, &page) == .awaited)
        #expect(try take(2, from: Self.other, at: 0, &page) == .heard)
    }
}
