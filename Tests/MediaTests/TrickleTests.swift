import Base
import Media
import PhoneCore
import Platform
import Testing

extension RealTime {
    /// Calls of accounts with trickle ICE (RFC 8838).
    @Suite
    struct TrickleTests {
        /// A phone that asks this server for its mapped address.
        private static func phone(asking server: DeskPhone, trickles: Bool = true) throws -> TestPhone {
            try TestPhone { $0.ice[.direct] = settings(server, trickles: trickles) }
        }

        private static func settings(_ server: DeskPhone, trickles: Bool = true) -> ICESettings {
            ICESettings(.always, servers: [.init(host: "127.0.0.1", port: server.port)], trickles: trickles)
        }

        private func news(_ phone: TestPhone) -> (candidates: [String], isLast: Bool)? {
            phone.log.wait(seconds: 8) { event in
                if case .candidates(TestPhone.call, let candidates, let isLast) = event {
                    (candidates, isLast)
                } else {
                    nil
                }
            }
        }

        @Test func silentServerDelaysNothing() throws {
            let server = try DeskPhone()
            let phone = try Self.phone(asking: server)
            let began = MonotonicClock.now()
            #expect(phone.open())
            let took = MonotonicClock.now() - began
            #expect(took < .milliseconds(200), "open after \(took)")
            #expect(phone.ice?.isIncomplete == true && phone.ice?.description.candidates.isEmpty == false)
            let end = try #require(news(phone), "its silence ends the wait")
            #expect(end == ([], true))
        }

        @Test func withoutTricklingServersAreWaitedFor() throws {
            let server = try DeskPhone()
            let phone = try Self.phone(asking: server, trickles: false)
            let began = MonotonicClock.now()
            #expect(phone.open())
            #expect(MonotonicClock.now() - began >= .seconds(1))
            #expect(phone.ice?.isIncomplete == nil)
            #expect(phone.log.count { if case .candidates = $0 { true } else { false } } == 0)
        }

        @Test func serverCandidatesFollow() throws {
            let server = try DeskPhone()
            let phone = try Self.phone(asking: server)
            #expect(phone.open())
            let before = try #require(phone.ice?.description.candidates)
            let end = MonotonicClock.now() + .seconds(2)
            var asked: [UInt8]?
            while asked == nil, MonotonicClock.now() < end {
                asked = server.received().first
                listen(milliseconds: 5)
            }
            server.send(Self.answer(to: try #require(asked)), to: phone.port)
            let told = try #require(news(phone))
            #expect(told.isLast && told.candidates.count == 1)
            #expect(told.candidates.first?.contains(" 203.0.113.7 40000 typ srflx") == true, "\(told.candidates)")
            #expect(!before.contains(told.candidates[0]))
        }

        @Test func withoutServersAllCandidatesAreKnownAtOnce() throws {
            let phone = try TestPhone { $0.ice[.direct] = ICESettings(.always, trickles: true) }
            #expect(phone.open() && phone.ice?.isIncomplete == nil)
        }

        /// A path is found and voice passes while a server is still pending; later gathering reports everything at
        /// once.
        @Test func callIsUpBeforeServerAnswers() throws {
            let server = try DeskPhone()
            let call = try TestCall(iceWithHandshake: true, Self.settings(server))
            #expect(call.connect() && call.isUp())
            #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
            call.a.perform(.gather(TestPhone.call))
            let again = call.a.log.wait {
                if case .gathered(TestPhone.call, let endpoint) = $0 { endpoint.ice } else { nil }
            }
            #expect(try #require(again).isIncomplete == nil)
            let ends = call.a.log.count { if case .candidates(_, _, isLast: true) = $0 { true } else { false } }
            #expect(ends <= 1)
        }

        /// A relayed-only account has one address to send: it has nothing before.
        @Test func relayedOnlyWaitsForItsServer() throws {
            let server = try DeskPhone()
            let relay = ICESettings.Relay(user: "u", password: Redacted("p"))
            let phone = try TestPhone {
                $0.ice[.direct] = ICESettings(
                    .relayed, servers: [.init(host: "127.0.0.1", port: server.port, relay: relay)], trickles: true)
            }
            let began = MonotonicClock.now()
            phone.perform(.open(TestPhone.call, .direct))
            let told = phone.log.wait { if case .failed(TestPhone.call, let text) = $0 { text } else { nil } }
            #expect(told?.contains("has not answered yet") == true, "\(told ?? "nothing")")
            #expect(MonotonicClock.now() - began >= .seconds(1))
            #expect(phone.log.count { if case .opened = $0 { true } else { false } } == 0)
        }

        /// Every client is seen at 203.0.113.7:40000 (RFC 8489 §14.2).
        private static func answer(to question: [UInt8]) -> [UInt8] {
            let cookie: [UInt8] = [0x21, 0x12, 0xA4, 0x42]
            let address = zip([203, 0, 113, 7], cookie).map { $0 ^ $1 }
            let port = UInt16(40_000) ^ 0x2112
            let mapped: [UInt8] = [0, 0x20, 0, 8, 0, 1, UInt8(port >> 8), UInt8(port & 0xFF)] + address
            return [1, 1, 0, UInt8(mapped.count)] + question[4..<20] + mapped
        }
    }
}
