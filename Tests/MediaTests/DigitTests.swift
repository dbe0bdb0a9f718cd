import Media
import PhoneCore
import SoundCore
import Testing

extension RealTime {
    @Suite
    struct DigitTests {
        @Test
        func digitsArriveOnceAndInOrder() throws {
            let call = try TestCall()
            #expect(call.isUp())
            let digits: [DTMFSymbol] = [.one, .five, .five, .pound, .star, .zero]
            call.a.perform(.dtmf(TestPhone.call, digits.map(DTMFElement.symbol), inBand: false))
            #expect(call.a.log.wait(for: .dtmfSent(TestPhone.call)))
            listen(milliseconds: 200)
            let heard = call.b.log.all.compactMap { event -> DTMFSymbol? in
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

        /// Their packets share the numbers of the voice's.
        @Test
        func digitsCauseNoVoiceLoss() throws {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open())
            var plan = peer.plan
            plan.telephoneEvents = .init(sendPayloadType: 101, receivePayloadType: 101, clockRate: 8_000)
            #expect(phone.connect(plan))
            var beats = Metronome(milliseconds: 20)
            for number in 1..<400 {
                let isEvent = number % 20 >= 15
                let frame =
                    isEvent ? [5, number % 20 == 19 ? 0x8A : 0x0A, 0, 160] : [UInt8](repeating: 0x11, count: 160)
                peer.send(payloadType: isEvent ? 101 : 0, number, payload: frame, to: phone.port)
                beats.wait()
            }
            let quality = phone.log.quality()
            let concealed = try #require(quality?.concealedPercent)
            print("a quarter of the packets telephone events: \(concealed) % concealed")
            #expect(concealed < 12.5, "half of the quarter that was no voice")
        }

        /// Neither end has telephone events: the digits are tones in the voice, and the far end detects them.
        @Test
        func inBandTonesAreDetectedWithoutEvents() throws {
            let call = try TestCall()
            #expect(call.isUp())
            var (planA, planB) = (call.planA, call.planB)
            (planA.telephoneEvents, planB.telephoneEvents) = (nil, nil)
            call.b.perform(.update(TestPhone.call, planB))
            let digits: [DTMFSymbol] = [.one, .five, .five, .pound, .star, .zero]
            call.a.perform(
                .update(TestPhone.call, planA), .dtmf(TestPhone.call, digits.map(DTMFElement.symbol), inBand: true))
            #expect(call.a.log.wait(for: .dtmfSent(TestPhone.call)))
            #expect(call.b.log.wait(for: .dtmfReceived(TestPhone.call, .zero)))
            let heard = call.b.log.all.compactMap { event -> DTMFSymbol? in
                if case .dtmfReceived(TestPhone.call, let symbol) = event { symbol } else { nil }
            }
            #expect(heard == digits)
        }

        @Test(arguments: [false, true])
        func digitsAreTonesWithoutEventsOrOnRequest(hasEvents: Bool) throws {
            // Repeated if it was not heard completely, as the machine may have stalled.
            var loudest = Decibels.floor
            for _ in 0..<3 where loudest <= -25 { loudest = try loudnessOfASeven(hasEvents: hasEvents) ?? loudest }
            #expect(loudest > -25)
        }

        /// The level at B of the weaker of the digit's two frequencies, at its loudest, in a separate call.
        private func loudnessOfASeven(hasEvents: Bool) throws -> Double? {
            let call = try TestCall()
            #expect(call.isUp())
            var plan = call.planA
            if !hasEvents { plan.telephoneEvents = nil }
            let start = WireFile.now()
            call.a.perform(
                .update(TestPhone.call, plan), .dtmf(TestPhone.call, [.symbol(.seven)], inBand: hasEvents))
            #expect(call.a.log.wait(for: .dtmfSent(TestPhone.call)))
            listen(milliseconds: 200)
            #expect(call.b.received(.seven) == 0)
            let heard = call.b.device.ear.heard(start..<WireFile.now())
            return stride(from: 0, to: heard.count - 2_400, by: 480).map { first -> Double in
                let part = Array(heard[first..<first + 2_400])
                return min(
                    ToneDetector.level(of: 852, in: part.span), ToneDetector.level(of: 1_209, in: part.span))
            }.max()
        }
    }
}
