import Base
import Foundation
import ICECore
import Testing

@Suite("Two phones behind NATs of every kind")
struct NATTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let first: Access
        let second: Access
        var testDescription: String { "\(first) and \(second)" }
    }

    static let pairs = Access.all.indices.flatMap { first in
        Access.all[first...].map { Pair(first: Access.all[first], second: $0) }
    }

    /// How many seeds each pair is tried with. `OFFHOOK_ICE_SEEDS=10000` also prints the duration.
    private static let seeds = ProcessInfo.processInfo.environment["OFFHOOK_ICE_SEEDS"].flatMap(UInt64.init)

    /// The fate of packets, from the seed: a quarter of the seeds lose none.
    static func weather(_ seed: UInt64) -> Internet.Weather {
        var generator = SeededGenerator(seed: seed &+ 1_000_000)
        return Internet.Weather(
            lossProbability: [0, 0.01, 0.03, 0.05][Int(seed % 4)],
            delay: .random(in: 2_000...50_000, using: &generator),
            jitter: .random(in: 0...20_000, using: &generator))
    }

    /// Either end calls, with and without trickling.
    static func call(_ pair: Pair, seed: UInt64) -> World {
        var world = World(seed: seed, weather: weather(seed))
        let (caller, callee) = seed % 2 == 0 ? (pair.first, pair.second) : (pair.second, pair.first)
        world.addPhone(caller, role: .controlling, isTrickling: seed % 3 != 0)
        world.addPhone(callee, role: .controlled, isTrickling: seed % 5 != 0)
        world.call()
        world.runUntilAgreed()
        return world
    }

    @Test("phones find a direct path if theory allows it, and TURN otherwise", arguments: pairs)
    func phonesFindDirectPathIfTheoryAllowsItAndTURNOtherwise(_ pair: Pair) {
        var (first, agreed): ([Double], [Double]) = ([], [])
        for seed in 0..<(Self.seeds ?? 200) {
            let world = Self.call(pair, seed: seed)
            let what = "seed \(seed), \(world.internet.weather)"
            guard world.phones.allSatisfy({ $0.state == .completed }) else {
                Issue.record("\(what): no path")
                continue
            }
            for phone in world.phones {
                #expect(phone.path?.isRelayed == !pair.first.reachesDirectly(pair.second), "\(what)")
            }
            first.append(world.phones.compactMap(\.firstPathAt).max()?.seconds ?? .infinity)
            agreed.append(world.phones.compactMap(\.agreedAt).max()?.seconds ?? .infinity)
            #expect(world.exchangesVoice(), "\(what)")
        }
        if Self.seeds != nil {
            print("| \(pair.first) | \(pair.second) | \(Self.figures(first)) | \(Self.figures(agreed)) |")
        }
    }

    /// Median, 95th percentile and the longest, in seconds.
    private static func figures(_ times: [Double]) -> String {
        let sorted = times.sorted()
        guard !sorted.isEmpty else { return "none" }
        let places = [sorted.count / 2, sorted.count * 95 / 100, sorted.count - 1]
        return places.map { String(format: "%.2f", sorted[$0]) }.joined(separator: " / ")
    }
}

extension Instant {
    /// Since the world began.
    var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension World {
    /// Both phones send media, until this holds or the time is over.
    mutating func talk(for duration: Duration, until isDone: (World) -> Bool = { _ in false }) {
        let end = now + duration
        while now < end, !isDone(self) {
            for phone in phones.indices { handle(.send([0x80, UInt8(phone)]), phone) }
            run(for: .milliseconds(20))
        }
    }

    /// Whether media packets would pass both ways now: most of twenty each way, whatever is lost.
    func exchangesVoice() -> Bool {
        var world = self
        for phone in phones.indices { world.phones[phone].heard = [] }
        for number in 0..<20 {
            for phone in phones.indices { world.handle(.send([0x80, UInt8(phone), UInt8(number)]), phone) }
            world.run(for: .milliseconds(20))
        }
        world.run(for: .milliseconds(200))
        return phones.indices.allSatisfy { phone in
            let heard = world.phones[phone].heard
            return heard.count >= 10 && heard.allSatisfy { $0[1] == 1 - phone }
        }
    }
}
