import Base
import PhoneCore
import Testing

@Suite("Handset, keys and routes")
struct PanelTests {
    @Test func handsetOffHookAtStartDoesNotDial() {
        var bench = Bench()
        bench.post(.panel(.hookFound(.offHook)))
        #expect(bench.noticed(.hookChanged(.offHook)))
        #expect(bench.machine.snapshot.tone == nil)
        bench.type("5550100#")
        #expect(bench.machine.snapshot.calls.isEmpty)
        bench.post(.panel(.hook(.offHook)))
        #expect(bench.machine.snapshot.tone == nil)
        bench.replace()
        bench.lift()
        #expect(bench.machine.snapshot.tone == .dial)
    }

    @Test func rereadHookLevelCountsAsMovement() {
        var bench = Bench()
        bench.post(.panel(.hookFound(.onHook)))
        bench.post(.panel(.hookFound(.offHook)))
        #expect(bench.machine.snapshot.tone == .dial)
        bench.post(.panel(.hookFound(.onHook)))
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func offHookTimeoutPlaysHowler() {
        var bench = Bench()
        bench.lift()
        bench.run(.milliseconds(29_999))
        #expect(bench.machine.snapshot.tone == .dial)
        bench.run(.milliseconds(1))
        #expect(bench.machine.snapshot.tone == .congestion)
        bench.run(.seconds(20))
        #expect(bench.machine.snapshot.tone == .howler)
        bench.run(.seconds(30))
        #expect(bench.machine.snapshot.tone == nil)
        #expect(bench.machine.deadline == nil)
        bench.replace()
        bench.lift()
        #expect(bench.machine.snapshot.tone == .dial)
    }

    @Test func howlerFollowsRemoteHangUp() {
        var bench = Bench()
        bench.talk()
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.run(.seconds(30))
        #expect(bench.machine.snapshot.tone == .howler)
        bench.run(.seconds(30))
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func busyToneBecomesCongestionAndHowler() {
        var bench = Bench()
        bench.dial()
        bench.line(.ended(Sample.dialled, .busyThere))
        bench.run(.seconds(30))
        #expect(bench.machine.snapshot.tone == .congestion)
        bench.run(.seconds(20))
        #expect(bench.machine.snapshot.tone == .howler)
    }

    @Test(arguments: [(Key.speaker, Route.speaker), (.headset, .headset)])
    func speakerKeyOpensAndClosesPhone(_ key: Key, _ route: Route) {
        var bench = Bench()
        bench.press(key)
        #expect(bench.machine.snapshot.tone == .dial)
        #expect(bench.machine.snapshot.route == route)
        #expect(bench.lamp(.speaker) == (route == .speaker ? .on : .off))
        bench.press(key)
        #expect(bench.machine.snapshot.tone == nil)
        #expect(bench.machine.snapshot.route == .handset)
        bench.press(key)
        bench.run(.seconds(30))
        #expect(bench.machine.snapshot.tone == nil, "a loudspeaker is switched off, not called back")
    }

    @Test func replacingHandsetEndsCall() {
        var bench = Bench()
        bench.talk()
        bench.replace()
        #expect(bench.did(.end(Sample.first)))
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.ends == [.hungUpHere])
        #expect(bench.panelOutcomes == [.fulfilled, .fulfilled])
    }

    @Test func replacingHandsetEndsOnlyCallOnHandset() {
        var bench = Bench()
        bench.talk()
        bench.press(.speaker)
        bench.replace()
        #expect(bench.phase() == .active)
        bench.lift()
        #expect(bench.machine.snapshot.route == .handset)
        bench.press(.speaker)
        bench.replace()
        bench.press(.speaker)
        #expect(bench.phase() == .disconnecting, "the speaker key hangs up when the handset is down")
    }

    @Test func speakerKeyTogglesWithLiftedHandset() {
        var bench = Bench()
        bench.talk()
        bench.press(.speaker)
        #expect(bench.machine.snapshot.route == .speaker)
        #expect(bench.lamp(.speaker) == .on)
        bench.press(.speaker)
        #expect(bench.machine.snapshot.route == .handset)
        bench.press(.headset)
        #expect(bench.machine.snapshot.route == .headset)
        #expect(bench.phase() == .active)
    }

    @Test func liftingHandsetTakesRequestedCall() {
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.ask(.route(.speaker)) == .fulfilled)
        #expect(bench.noticed(.routeChanged(.speaker, before: .handset)))
        bench.lift()
        #expect(bench.machine.snapshot.route == .handset)
        #expect(bench.machine.snapshot.tone == nil)
        bench.replace()
        #expect(bench.ends == [.hungUpHere])
    }

    @Test func speakerKeyJoinsRequestedSpeakerCall() {
        var bench = Bench()
        bench.offer()
        bench.ask(.answer(nil))
        bench.connect()
        bench.press(.speaker)
        #expect(bench.machine.snapshot.route == .speaker)
        #expect(bench.phase() == .active)
    }

    @Test func requestedCallStopsDialTone() {
        var bench = Bench()
        bench.lift()
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.machine.snapshot.tone == nil)
        bench.line(.ended(Sample.dialled, .unreachable))
        #expect(bench.machine.snapshot.tone == .congestion)
    }

    @Test func liftingAfterSpeakerDialKeepsDigits() {
        var bench = Bench()
        bench.press(.speaker)
        bench.type("55")
        bench.lift()
        #expect(bench.machine.snapshot.digits == "55")
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test func newHeadsetTakesRouteAndLossRestoresIt() {
        var bench = Bench()
        bench.media(.deviceFound(.headset))
        #expect(bench.machine.snapshot.route == .handset, "nobody speaks")
        bench.talk()
        bench.press(.speaker)
        bench.media(.deviceFound(.bluetooth))
        #expect(bench.machine.snapshot.route == .bluetooth)
        bench.media(.deviceLost(.bluetooth, "gone"))
        #expect(bench.machine.snapshot.route == .speaker)
        #expect(bench.noticed(.trouble("gone", .soundDevice)))
        #expect(bench.phase() == .active)
    }

    @Test func lostDevicesFallBackInOrder() {
        var bench = Bench()
        bench.talk()
        bench.media(.deviceFound(.headset))
        bench.media(.deviceFound(.bluetooth))
        bench.media(.deviceLost(.bluetooth, "gone"))
        #expect(bench.machine.snapshot.route == .headset)
        bench.media(.deviceLost(.headset, "gone, too"))
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test func lostHandsetDeviceKeepsCall() {
        var bench = Bench()
        bench.talk()
        bench.media(.deviceLost(.handset, "unplugged"))
        bench.run(.seconds(100))
        #expect(bench.phase() == .active)
        #expect(bench.machine.snapshot.route == .handset)
        bench.media(.deviceFound(.handset))
        #expect(bench.phase() == .active)
    }

    @Test func digitKeysInCallAreHeardAndSent() {
        var bench = Bench()
        bench.talk()
        bench.forget()
        bench.press(.digit(.star))
        #expect(bench.did(.keyClick(.star)))
        #expect(bench.did(MediaEffect.dtmf(Sample.first, [.symbol(.star)], inBand: false)))
        #expect(bench.panelOutcomes == [.fulfilled])
        bench.media(.dtmfSent(Sample.first))
        #expect(bench.noticed(.dtmfSent(Sample.first)))
    }

    @Test func digitsNeedActiveCall() {
        var bench = Bench()
        let digits: [DTMFElement] = [.symbol(.one), .pause, .symbol(.d)]
        #expect(bench.ask(.dtmf(nil, digits)) == .failed(.noSuchCall))
        bench.offer()
        #expect(bench.ask(.dtmf(Sample.first, digits)) == .failed(.wrongState))
        bench.lift()
        bench.connect()
        #expect(bench.ask(.dtmf(nil, digits)) == .fulfilled)
        #expect(bench.did(MediaEffect.dtmf(Sample.first, digits, inBand: false)))
        #expect(bench.ask(.dtmf(nil, [])) == .failed(.invalidTarget))
        #expect(bench.ask(.dtmf(nil, Array(repeating: .pause, count: 64))) == .fulfilled)
        #expect(bench.ask(.dtmf(nil, Array(repeating: .pause, count: 65))) == .failed(.noRoom))
        bench.holdFirst()
        #expect(bench.ask(.dtmf(nil, digits)) == .failed(.wrongState))
    }

    @Test func keysWithoutMeaningDoNothing() {
        var bench = Bench()
        for key in [
            Key.hold, .mute, .redial, .digit(.one), .flash, .transfer, .conference, .voicemail, .line(1), .speedDial(1),
        ] {
            let effects = bench.post(.panel(.pressed(key)))
            #expect(effects == [.control(.notice(.keyPressed(key)))])
        }
    }

    @Test func panelFailureIsReported() {
        var bench = Bench()
        bench.talk()
        bench.post(.panel(.failed("no chip")))
        #expect(bench.noticed(.trouble("no chip", .panel)))
        #expect(bench.phase() == .active)
        #expect(bench.machine.snapshot.panelFailed == true, "until it works again")
        bench.post(.panel(.hookFound(.offHook)))
        #expect(bench.machine.snapshot.panelFailed == nil)
    }

    @Test func lampsShowCallState() {
        var bench = Bench()
        bench.offer()
        #expect(bench.lamp(.line) == .off)
        bench.lift()
        #expect(bench.lamp(.line) == .on)
        #expect(bench.lamp(.ringing) == .off)
        bench.connect()
        bench.replace()
        #expect(bench.lamp(.line) == .off)
    }
}
