import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    @Suite
    struct DigitTests {
        @Test
        func digitsArriveExactlyOnceAndInOrder() throws {
            let call = try TestCall()
            #expect(call.isUp())
            let digits: [DialSymbol] = [.one, .five, .five, .pound, .star, .zero]
            call.a.perform(.dtmf(TestPhone.call, digits.map(DTMFElement.symbol), inBand: false))
            #expect(call.a.log.wait(for: .dtmfSent(TestPhone.call)))
            listen(milliseconds: 200)
            let heard = call.b.log.all.compactMap { event -> DialSymbol? in
                if case .dtmfReceived(TestPhone.call, let symbol) = event { symbol } else { nil }
            }
            #expect(heard == digits)
            #expect(call.a.log.count { $0 == .dtmfSent(TestPhone.call) } == 1)
        }

        @Test
        func eachSequenceEndsOnce() throws {
            let call = try TestCall(milliseconds: 10)
            #expect(call.isUp())
            call.a.perform(
                .dtmf(TestPhone.call, [.symbol(.one)], inBand: false),
                .dtmf(TestPhone.call, [.symbol(.two)], inBand: false))
            #expect(call.b.log.wait(for: .dtmfReceived(TestPhone.call, .two)))
            listen(milliseconds: 400)
            #expect(call.a.log.count { $0 == .dtmfSent(TestPhone.call) } == 2)
        }

        @Test(arguments: [false, true])
        func withoutEventsOrByWishDigitsAreSound(hasEvents: Bool) throws {
            let call = try TestCall()
            #expect(call.isUp())
            var plan = call.planA
            if !hasEvents { plan.telephoneEvents = nil }
            call.a.perform(
                .update(TestPhone.call, plan), .dtmf(TestPhone.call, [.symbol(.seven)], inBand: hasEvents))
            let start = WireFile.now()
            #expect(call.a.log.wait(for: .dtmfSent(TestPhone.call)))
            listen(milliseconds: 200)
            let heard = call.b.device.ear.heard(start..<start + 19_200)
            let loudest = stride(from: 0, to: heard.count - 2_400, by: 480).map { first -> Double in
                let part = Array(heard[first..<first + 2_400])
                return min(
                    ToneDetector.level(of: 852, in: part.span), ToneDetector.level(of: 1_209, in: part.span))
            }.max()
            #expect(try #require(loudest) > -25)
            #expect(call.b.received(.seven) == 0)
        }
    }
}
