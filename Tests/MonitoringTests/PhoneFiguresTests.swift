import Base
import Monitoring
import PhoneCore
import Testing

/// The figures derived from passing notices.
@Suite struct PhoneFiguresTests {
    private static let call = CallID(.line(AccountID(1)), 7)
    private let start = Instant(nanoseconds: 1_000_000_000)

    private func summary(
        _ phase: CallSummary.Phase, direction: CallSummary.Direction = .incoming, answered: Instant? = nil,
        call: CallID = call
    ) -> CallSummary {
        CallSummary(
            call: call, direction: direction, phase: phase, number: "666", name: "Eve \"\n", isWithheld: false,
            account: AccountID(1), heldHere: false, heldThere: false, started: start, answered: answered,
            farEndRings: false, impaired: false, announcedByInterface: false)
    }

    private func samples(_ figures: PhoneFigures, labels: [AccountID: String] = [:]) -> Set<String> {
        var page = MetricPage()
        figures.write(to: &page, names: LineNames(labels))
        return Set(page.text.split(separator: "\n").map(String.init))
    }

    @Test func callIsCountedFromArrivalToEnd() {
        var figures = PhoneFigures()
        figures.offered(Self.call, arrived: start)
        figures.announced(Self.call, at: start + .milliseconds(2))
        figures.take(.callChanged(summary(.ringingIn)), at: start + .milliseconds(2))
        #expect(
            samples(figures).isSuperset(of: ["offhook_calls_current 1", "offhook_call_announce_seconds_sum 0.002"]))
        figures.take(.callChanged(summary(.connecting)), at: start + .seconds(5))
        figures.take(.callChanged(summary(.connecting)), at: start + .milliseconds(5_010))
        let up = summary(.active, answered: start + .milliseconds(5_030))
        figures.take(.callChanged(up), at: start + .milliseconds(5_030))
        figures.take(.callChanged(up), at: start + .seconds(6))
        figures.take(.callEnded(up, .hungUpThere), at: start + .milliseconds(65_030))
        #expect(
            samples(figures).isSuperset(of: [
                "offhook_calls_current 0", "offhook_call_answer_seconds_count 1",
                "offhook_call_answer_seconds_sum 0.03",
                #"offhook_call_duration_seconds_bucket{le="30"} 0"#,
                #"offhook_call_duration_seconds_bucket{le="60"} 1"#,
                #"offhook_calls_total{direction="incoming",result="answered"} 1"#,
                #"offhook_call_ends_total{reason="hungUpThere"} 1"#,
            ]))
    }

    @Test func protectionIsCounted() {
        var figures = PhoneFigures()
        let calls: [(CallProtection, wasAnswered: Bool)] = [
            (.sdes, true), (.verified, true), (.verified, true), (.dtls, false),
        ]
        for (protection, wasAnswered) in calls {
            var ended = summary(.ended, answered: wasAnswered ? start : nil)
            ended.protection = protection
            figures.take(.callEnded(ended, .hungUpHere), at: start)
        }
        #expect(
            samples(figures).isSuperset(of: [
                #"offhook_calls_protected_total{protection="clear"} 0"#,
                #"offhook_calls_protected_total{protection="sdes"} 1"#,
                #"offhook_calls_protected_total{protection="dtls"} 0"#,
                #"offhook_calls_protected_total{protection="verified"} 2"#,
            ]))
    }

    @Test func everyEndHasOneResult() {
        var figures = PhoneFigures()
        let ends: [(EndReason, Bool)] = [
            (.hungUpHere, true), (.cancelledThere, false), (.noAnswer, false), (.blocked, false), (.declined, false),
            (.rejected(404), false), (.rejected(503), false), (.mediaLost, true),
        ]
        for (reason, wasAnswered) in ends {
            let ended = summary(.ended, direction: .outgoing, answered: wasAnswered ? start : nil)
            figures.take(.callEnded(ended, reason), at: start)
        }
        #expect(
            samples(figures).isSuperset(of: [
                #"offhook_calls_total{direction="outgoing",result="answered"} 1"#,
                #"offhook_calls_total{direction="outgoing",result="unanswered"} 2"#,
                #"offhook_calls_total{direction="outgoing",result="refused"} 2"#,
                #"offhook_calls_total{direction="outgoing",result="failed"} 3"#,
                #"offhook_calls_total{direction="incoming",result="failed"} 0"#,
                #"offhook_call_ends_total{reason="rejected"} 2"#,
            ]))
    }

    @Test func accountIsInOneState() {
        var figures = PhoneFigures()
        figures.take(.registrationChanged(AccountID(1), .registering), at: start)
        figures.take(.registrationChanged(AccountID(1), .failed("403 <secret>")), at: start)
        figures.take(.registrationChanged(AccountID(2), .registered), at: start)
        let all = samples(figures, labels: [AccountID(1): "desk", AccountID(2): "desk"])
        #expect(
            all.isSuperset(of: [
                #"offhook_registration_state{account="desk",state="failed"} 1"#,
                #"offhook_registration_state{account="desk",state="registered"} 0"#,
                #"offhook_registration_failures_total{account="desk"} 1"#,
                #"offhook_registration_state{account="desk (2)",state="registered"} 1"#,
            ]))
        #expect(!all.contains { $0.contains("secret") })
    }

    @Test func qualityReportCountsMeasuredValues() {
        var figures = PhoneFigures()
        let quality = VoiceQuality(opinionScore: 4.25, jitterMilliseconds: 2, lossPercent: 50)
        figures.take(.qualityUpdated(Self.call, quality), at: start)
        #expect(
            samples(figures).isSuperset(of: [
                "offhook_voice_mos_sum 4.25", "offhook_voice_jitter_seconds_sum 0.002",
                "offhook_voice_loss_ratio_sum 0.5",
                "offhook_voice_round_trip_seconds_count 0",
            ]))
    }

    /// An observer of the machine has no right to callers and callees.
    @Test func figuresNameNobody() {
        var figures = PhoneFigures()
        figures.take(.callChanged(summary(.ringingIn)), at: start)
        figures.take(.missedCall(summary(.ended), .timeout), at: start)
        figures.take(.trouble("Eve 666"), at: start)
        figures.take(
            .callRefused(
                RefusedCall(account: AccountID(1), number: "666", name: "Eve", from: "1.2.3.4", reason: .loop)),
            at: start)
        let page = samples(figures).joined() + figures.status(names: LineNames([:]))
        #expect(!page.contains("Eve") && !page.contains("666") && !page.contains("1.2.3.4"))
        #expect(page.contains(#"offhook_calls_refused_total{reason="loop"} 1"#))
        #expect(page.contains(#"offhook_calls_missed_total{reason="timeout"} 1"#))
    }

    @Test func changesOfTheOrganisationAreCountedByResult() {
        var figures = PhoneFigures()
        let organisation = Organisation(id: OrganisationID("o-7"), name: "Acme")
        for notice in [
            .organisationSwitched(organisation), .organisationSwitchFailed(.api(403, "no")),
            .organisationSwitchFailed(.api(500)), .organisationSwitchFailed(.noOrganisation),
            .signInNeeded(.deviceTokenRefused),
        ] as [Notice] {
            figures.take(notice, at: start)
        }
        #expect(
            samples(figures).isSuperset(of: [
                #"offhook_organization_switches_total{result="switched"} 1"#,
                #"offhook_organization_switches_total{result="api"} 2"#,
                #"offhook_organization_switches_total{result="noOrganization"} 1"#, "offhook_sign_in_needed 1",
            ]))
        figures.take(.signedIn(SignedInUser(subject: "s")), at: start)
        #expect(samples(figures).contains("offhook_sign_in_needed 0"))
    }

    @Test func codesAreCountedByOutcome() {
        var figures = PhoneFigures()
        for outcome in [CodeOutcome.wrong(left: 2), .wrong(left: 1), .locked(seconds: 60), .right(relay: 1)] {
            figures.take(.codeTried(Self.call, outcome), at: start)
        }
        #expect(
            samples(figures).isSuperset(of: [
                #"offhook_codes_total{outcome="wrong"} 2"#, #"offhook_codes_total{outcome="locked"} 1"#,
                #"offhook_codes_total{outcome="right"} 1"#,
            ]))
    }

    /// However many calls come and go, the state stays small.
    @Test func stateStaysBounded() {
        var figures = PhoneFigures()
        for number in 0..<10_000 as Range<UInt32> {
            let call = CallID(.line(AccountID(1)), number)
            figures.offered(call, arrived: start)
            figures.take(.callChanged(summary(.ringingIn, call: call)), at: start)
        }
        #expect(samples(figures).contains("offhook_calls_current 64"))
    }
}
