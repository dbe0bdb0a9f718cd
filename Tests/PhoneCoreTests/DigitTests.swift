import Base
import PhoneCore
import Testing

/// §8, DTMF: how digits are sent, and what happens when the far end rejects that way.
@Suite("Digits in a call")
struct DigitTests {
    private static let digits: [DTMFElement] = [.symbol(.one), .pause, .symbol(.d)]

    @Test func digitElementsArePadSymbolsAndPause() {
        #expect("1,d".map { DTMFElement($0) } == Self.digits)
        #expect("e;\u{e9}".allSatisfy { DTMFElement($0) == nil })
    }

    /// An active call whose far end takes telephone events or does not.
    private static func talking(_ mode: DTMFMode, events: Bool) -> Bench {
        var policy = Sample.policy
        policy.dtmf = mode
        var bench = Bench(policy: policy)
        bench.offer()
        bench.lift()
        bench.line(.answered(Sample.first, Sample.plan(events: events)))
        bench.media(.ready(Sample.first))
        bench.forget()
        return bench
    }

    struct Way: CustomTestStringConvertible {
        let (mode, events): (DTMFMode, Bool)
        let effect: PhoneEffect?
        var testDescription: String { "\(mode), \(events ? "with" : "without") events" }

        init(_ mode: DTMFMode, events: Bool, _ effect: PhoneEffect?) {
            (self.mode, self.events, self.effect) = (mode, events, effect)
        }
    }

    private static let asEvents = PhoneEffect.media(.dtmf(Sample.first, digits, inBand: false))
    private static let inWords = PhoneEffect.line(.dtmf(Sample.first, digits))
    private static let asSound = PhoneEffect.media(.dtmf(Sample.first, digits, inBand: true))

    @Test(arguments: [
        Way(.automatic, events: true, asEvents), Way(.automatic, events: false, inWords),
        Way(.events, events: true, asEvents), Way(.events, events: false, nil),
        Way(.info, events: true, inWords), Way(.info, events: false, inWords),
        Way(.inBand, events: true, asSound), Way(.inBand, events: false, asSound),
    ])
    func digitsUseOneWay(_ way: Way) {
        var bench = Self.talking(way.mode, events: way.events)
        let outcome = bench.ask(.dtmf(nil, Self.digits))
        #expect(outcome == (way.effect == nil ? .failed(.refusedThere) : .fulfilled))
        let sent = bench.log.filter { [Self.asEvents, Self.inWords, Self.asSound].contains($0) }
        #expect(sent == (way.effect.map { [$0] } ?? []))
    }

    @Test func digitCountsAsSentAfterLineConfirms() {
        var bench = Self.talking(.automatic, events: false)
        bench.press(.digit(.five))
        #expect(bench.did(.keyClick(.five)), "the person hears it, however it is sent")
        #expect(bench.did(LineCommand.dtmf(Sample.first, [.symbol(.five)])))
        #expect(!bench.noticed(.dtmfSent(Sample.first)))
        bench.line(.dtmfSent(Sample.first, unsent: []))
        #expect(bench.noticed(.dtmfSent(Sample.first)))
    }

    @Test func digitsRejectedByLineAreSentInBand() {
        var bench = Self.talking(.automatic, events: false)
        bench.ask(.dtmf(nil, Self.digits))
        bench.line(.dtmfSent(Sample.first, unsent: [.pause, .symbol(.d)]))
        #expect(bench.did(MediaEffect.dtmf(Sample.first, [.pause, .symbol(.d)], inBand: true)))
        #expect(!bench.noticed(.dtmfSent(Sample.first)))
        bench.media(.dtmfSent(Sample.first))
        #expect(bench.noticed(.dtmfSent(Sample.first)))
    }

    @Test func infoOnlyModeSendsNoTones() {
        var bench = Self.talking(.info, events: false)
        bench.ask(.dtmf(nil, Self.digits))
        bench.line(.dtmfSent(Sample.first, unsent: Self.digits))
        #expect(!bench.did(Self.asSound))
        #expect(bench.noticed(.trouble("Ada did not accept the digits", .digitsRefused)))
    }

    @Test func heldCallGetsNoTones() {
        var bench = Self.talking(.automatic, events: false)
        bench.ask(.dtmf(nil, Self.digits))
        bench.holdFirst()
        bench.line(.dtmfSent(Sample.first, unsent: Self.digits))
        #expect(!bench.did(Self.asSound))
        #expect(bench.noticed(.trouble("Ada did not accept the digits", .digitsRefused)))
    }

    @Test func farEndOnHoldGetsNoDigits() {
        for mode in DTMFMode.allCases {
            var bench = Self.talking(mode, events: true)
            bench.line(.renegotiated(Sample.first, Sample.heldPlan, heldByFarEnd: true))
            #expect(bench.ask(.dtmf(nil, Self.digits)) == .failed(.wrongState))
        }
    }

    @Test func digitsFromInfoAreReportedLikeEvents() {
        var policy = Sample.policy
        policy.relays = [1: RelayPolicy(code: Sample.code)]
        var bench = Bench(policy: policy)
        bench.talk()
        bench.line(.dtmfReceived(Sample.first, .one))
        #expect(bench.noticed(.dtmfReceived(Sample.first, .one)))
        // Later than the event of the same press.
        bench.run(.seconds(2))
        for _ in 0..<3 { bench.media(.dtmfReceived(Sample.first, .one)) }
        bench.line(.dtmfReceived(Sample.first, .pound))
        #expect(bench.noticed(.relayChanged(1, on: true)))
    }

    @Test func digitsBeforeAnswerAreIgnored() {
        var bench = Bench()
        bench.offer()
        bench.line(.dtmfReceived(Sample.first, .one))
        #expect(!bench.noticed(.dtmfReceived(Sample.first, .one)))
    }

    // MARK: Without telephone events

    private func benchWithoutEvents() -> Bench {
        var bench = Bench()
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.offer()
        bench.lift()
        bench.line(.answered(Sample.first, Sample.plan(events: false)))
        bench.media(.ready(Sample.first))
        return bench
    }

    private func told(_ bench: Bench) -> [DTMFSymbol] {
        bench.log.compactMap { effect in
            if case .control(.notice(.dtmfReceived(Sample.first, let symbol))) = effect { symbol } else { nil }
        }
    }

    @Test func inBandTonesAreReportedAsDigits() {
        var bench = benchWithoutEvents()
        for _ in 0..<2 {
            bench.media(.dtmfReceived(Sample.first, .five))
            bench.run(.milliseconds(200))
        }
        #expect(told(bench) == [.five, .five])
    }

    /// The far end sends INFO and also leaves the tones in the voice. After the first digit, its tones count as
    /// copies.
    @Test func toneAndINFOCountAsOneDigit() {
        var bench = benchWithoutEvents()
        bench.media(.dtmfReceived(Sample.first, .five))
        bench.run(.milliseconds(300))
        bench.line(.dtmfReceived(Sample.first, .five))
        bench.run(.seconds(2))
        bench.line(.dtmfReceived(Sample.first, .six))
        bench.media(.dtmfReceived(Sample.first, .six))
        bench.line(.dtmfReceived(Sample.first, .six))
        #expect(told(bench) == [.five, .six, .six])
    }

    /// The caller dials right after its ACK, while the phone still sets up media.
    @Test func codeRightAfterACKOpensDoor() {
        var policy = Sample.policy
        policy.relays = [1: RelayPolicy(code: Sample.code)]
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.offer()
        bench.lift()
        bench.line(.answered(Sample.first, Sample.plan))
        for symbol in Sample.code.symbols + [.pound] { bench.line(.dtmfReceived(Sample.first, symbol)) }
        #expect(bench.noticed(.relayChanged(1, on: true)))
    }

    private static func heard(_ bench: Bench) -> String {
        String(
            bench.log.compactMap {
                if case .control(.notice(.dtmfReceived(_, let symbol))) = $0 { symbol.character } else { nil }
            })
    }

    /// Some telephones can be set to send both.
    @Test(arguments: [true, false], [0, 150, 900]) func eventAndINFOOfOnePressAreOneDigit(isEventFirst: Bool, gap: Int)
    {
        var bench = Self.talking(.automatic, events: true)
        for symbol in "1123*#".compactMap({ DTMFSymbol($0) }) {
            if isEventFirst {
                bench.media(.dtmfReceived(Sample.first, symbol))
            } else {
                bench.line(.dtmfReceived(Sample.first, symbol))
            }
            bench.run(.milliseconds(gap))
            if isEventFirst {
                bench.line(.dtmfReceived(Sample.first, symbol))
            } else {
                bench.media(.dtmfReceived(Sample.first, symbol))
            }
            bench.run(.milliseconds(120))
        }
        #expect(Self.heard(bench) == "1123*#")
    }

    /// INFO may be delayed by several digits on a slow path.
    @Test func lateINFOsOfFastDigitsAreNoFurtherDigits() {
        var bench = Self.talking(.automatic, events: true)
        let symbols = "1212".compactMap { DTMFSymbol($0) }
        for symbol in symbols {
            bench.media(.dtmfReceived(Sample.first, symbol))
            bench.run(.milliseconds(100))
        }
        for symbol in symbols { bench.line(.dtmfReceived(Sample.first, symbol)) }
        #expect(Self.heard(bench) == "1212")
    }

    @Test func digitsInOneWayAreAllHeard() {
        for isEvent in [true, false] {
            var bench = Self.talking(.automatic, events: true)
            for symbol in "1111".compactMap({ DTMFSymbol($0) }) {
                if isEvent {
                    bench.media(.dtmfReceived(Sample.first, symbol))
                } else {
                    bench.line(.dtmfReceived(Sample.first, symbol))
                }
            }
            #expect(Self.heard(bench) == "1111")
        }
    }
}
