import Base
import PhoneCore
import Testing

/// The text of a display, derived from the state of the phone.
@Suite struct DisplayTests {
    private static func bench(_ language: DisplayLanguage = .english, edit: (inout PhonePolicy) -> Void = { _ in })
        -> Bench
    {
        var policy = Sample.policy
        policy.displayLanguage = language
        edit(&policy)
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        return bench
    }

    private func shown(_ bench: Bench) -> DisplayContent {
        bench.machine.snapshot.display ?? DisplayContent(title: "nothing")
    }

    @Test func withoutLanguageDisplayStaysEmpty() {
        var bench = Bench()
        bench.talk()
        #expect(bench.machine.snapshot.display == nil)
        #expect(!bench.log.contains { if case .display = $0 { true } else { false } })
    }

    @Test func displayIsKnownInEveryLanguage() {
        var bench = Self.bench(.german)
        bench.talk()
        bench.ask(.mute(true))
        let displays = bench.machine.displays
        #expect(displays.count == DisplayLanguage.allCases.count && displays[.german] == shown(bench))
        #expect(displays[.english]?.detail == "In call" && displays[.german]?.detail == "Im Gespräch")
        #expect(displays[.english]?.notes.contains("Muted") == true)
        #expect(Bench().machine.displays.isEmpty, "without a language there is no display")
    }

    @Test func showsIncomingCallFromRingingToEnd() {
        var bench = Self.bench()
        #expect(shown(bench) == DisplayContent(title: "Ready"))
        bench.offer()
        #expect(shown(bench) == DisplayContent(title: "Ada", detail: "Incoming call", notes: ["+15550100"]))
        bench.lift()
        #expect(shown(bench).detail == "Connecting")
        bench.connect()
        #expect(shown(bench).title == "Ada")
        #expect(shown(bench).detail == "In call")
        #expect(shown(bench).since == bench.summary()?.answered)
        #expect(bench.did(.display(shown(bench))), "the display is updated")
        #expect(bench.noticed(.displayChanged(shown(bench))), "and so are programs")
        bench.ask(.mute(true))
        #expect(shown(bench).notes.contains("Muted"))
        bench.ask(.mute(false))
        bench.holdFirst()
        #expect(shown(bench).detail == "On hold")
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.replace()
        bench.run(.seconds(20))
        #expect(shown(bench) == DisplayContent(title: "Ready"))
    }

    @Test func emptyNameIsIgnored() {
        var bench = Self.bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(name: ""))))
        #expect(shown(bench).title == "15550100")
        bench.line(.offered(Sample.first, Sample.caller))
        #expect(shown(bench).title == "Ada")
    }

    @Test func showsCalledOrganisationWhileRinging() {
        var bench = Self.bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(organisation: "b"))))
        #expect(shown(bench).notes == ["15550100", "Org b"])
    }

    /// A party that neither waits nor is held is the only one shown.
    @Test func showsOtherPartyOfConference() {
        var bench = Self.bench()
        bench.talkToTwo()
        bench.press(.conference)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.machine.snapshot.conference && shown(bench).notes.contains("Conference"))
        #expect(shown(bench).title == "Ada" && shown(bench).notes.contains("Ada"), "\(shown(bench).notes)")
    }

    @Test func showsDialledCallUntilItsEnd() {
        var bench = Self.bench()
        bench.lift()
        #expect(shown(bench).title == "Dial a number")
        bench.type("555")
        #expect(shown(bench).title == "555")
        bench.type("0100#")
        #expect(shown(bench).title == "5550100")
        #expect(shown(bench).detail == "Calling")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        bench.line(.ringing(Sample.dialled))
        #expect(shown(bench).detail == "Ringing")
        bench.line(.ended(Sample.dialled, .busyThere))
        #expect(shown(bench).title == "Busy")
    }

    @Test func showsSecondCallAsNote() {
        var bench = Self.bench()
        bench.offer()
        bench.lift()
        bench.connect()
        bench.offer(Sample.second)
        #expect(shown(bench).detail == "In call")
        #expect(shown(bench).notes.first == "Waiting: Ada")
        bench.press(.hold)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.connect(Sample.second)
        #expect(shown(bench).notes.first == "Held: Ada")
    }

    @Test func showsFaultsAsText() {
        var bench = Self.bench()
        bench.line(.registration(.direct, .failed("403")))
        #expect(shown(bench).title == "Not registered" && shown(bench).notes == ["403"])
        bench.line(.registration(.direct, .registering))
        #expect(shown(bench).title == "Connecting")
        bench.line(.registration(.direct, .registered))
        bench.network(NetworkPath(.none, addresses: []))
        bench.run(.seconds(40))
        #expect(shown(bench).title == "No network")
        bench.network(Sample.home)
        bench.run(.seconds(2))
        #expect(shown(bench).title == "Ready")
        bench.post(.panel(.failed("gone")))
        bench.media(.deviceLost(.handset, "gone"))
        bench.ask(.doNotDisturb(true))
        #expect(shown(bench).notes == ["Keys fail", "No sound: handset", "Do not disturb"])
    }

    @Test func showsMissingFeaturesOfCall() {
        var bench = Self.bench()
        bench.line(.offered(Sample.first, Caller(number: "1", account: .direct, verification: .failed)))
        #expect(shown(bench).notes == ["Caller not proven"])
        bench.media(.opened(Sample.first, Sample.endpoint))
        bench.lift()
        bench.connect()
        bench.media(.sendingFailed(Sample.first, "Network is unreachable"))
        #expect(shown(bench).notes.contains("Not heard there"))
        bench.ask(.hangUp(Sample.first))
        #expect(bench.phase() == .disconnecting && !shown(bench).notes.contains("Not heard there"))
    }

    @Test func showsMissedCallsAndMessagesUntilSeen() {
        var bench = Self.bench()
        bench.offer()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(shown(bench).notes == ["1 missed call", "Ada"])
        bench.line(.messagesWaiting(.direct, 2))
        #expect(shown(bench).notes.last == "2 messages")
        bench.line(.messagesWaiting(.direct, 1))
        #expect(shown(bench).notes.last == "1 message")
        bench.ask(.clearMissedCalls(nil))
        bench.line(.messagesWaiting(.direct, 0))
        #expect(shown(bench).notes.isEmpty)
    }

    @Test func showsGermanText() {
        var bench = Self.bench(.german)
        #expect(shown(bench).title == "Bereit")
        bench.offer()
        #expect(shown(bench).detail == "Anruf")
    }

    // MARK: Rows

    private static let call = DisplayContent(
        title: "Ada", detail: "In call", since: .zero + .seconds(60), notes: ["Muted", "Held: Bob"])

    @Test func fourRowsShowEverything() {
        let rows = Self.call.rows(columns: 20, count: 4, at: .zero + .seconds(185))
        #expect(
            rows == ["Ada                 ", "In call        02:05", "Muted               ", "Held: Bob           "])
        #expect(Self.call.nextChange(count: 4, after: .zero + .milliseconds(185_400)) == .zero + .seconds(186))
    }

    @Test func lowerOfTwoRowsAlternates() {
        let lower = (0..<4).map { Self.call.rows(columns: 16, count: 2, at: .zero + .seconds(180 + 3 * $0))[1] }
        #expect(lower == ["In call    02:00", "Muted           ", "Held: Bob       ", "In call    02:09"])
    }

    @Test func longTextAlternatesAndShortTextNeverWakes() {
        let idle = DisplayContent(title: "Ready", notes: ["1", "2", "3", "4", "5"])
        let pages = (0..<3).map { idle.rows(columns: 8, count: 4, at: .zero + .seconds(3 * $0)).dropFirst() }
        #expect(pages.map { $0.map { $0.trimmed } } == [["1", "2", "3"], ["4", "5", ""], ["1", "2", "3"]])
        #expect(idle.nextChange(count: 4, after: .zero + .seconds(4)) == .zero + .seconds(6))
        #expect(idle.nextChange(count: 6, after: .zero + .seconds(4)) == nil)
        #expect(DisplayContent(title: "Ready").nextChange(count: 2, after: .zero) == nil)
    }

    @Test func everyRowIsCompleteForAnyCallerName() {
        let names = ["", "x", String(repeating: "W", count: 300), "a\nb\u{1B}[2Jc\u{7}", "Łódź 👩‍👩‍👧 čas", "\u{202E}abc"]
        for name in names {
            let content = DisplayContent(title: name, detail: name, since: .zero, notes: [name, name])
            for (columns, count) in [(8, 2), (16, 2), (20, 4), (21, 4)] {
                let rows = content.rows(columns: columns, count: count, at: .zero + .seconds(360_000))
                #expect(rows.count == count)
                #expect(rows.allSatisfy { $0.count == columns && !$0.contains("\n") && !$0.contains("\u{1B}") })
            }
        }
    }
}

extension String {
    fileprivate var trimmed: String { String(prefix { $0 != " " }) }
}
