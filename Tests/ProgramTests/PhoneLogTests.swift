import Base
import PhoneCore
import SDPCore
import Testing
import offhook

/// The phone's log.
@Suite struct PhoneLogTests {
    private static func summary(_ call: CallID, answered: Bool = false) -> CallSummary {
        CallSummary(
            call: call, direction: .incoming, phase: answered ? .active : .ringingIn, number: "200", name: "Anna",
            isWithheld: false, account: AccountID(1), heldHere: false, heldThere: false, started: .zero,
            answered: answered ? .zero : nil, farEndRings: false, impaired: false, announcedByInterface: false)
    }

    @Test func callLogsThreeLinesWithAccountLabel() {
        var lines = PhoneLogLines(labels: [AccountID(1): "office"])
        let call = CallID(.line(AccountID(1)), 7)
        let notices: [Notice] = [
            .callChanged(Self.summary(call)), .callChanged(Self.summary(call)),
            .callChanged(Self.summary(call, answered: true)), .callChanged(Self.summary(call, answered: true)),
            .callEnded(Self.summary(call, answered: true), .hungUpThere), .muteChanged(true),
        ]
        #expect(
            notices.compactMap { lines.line(for: $0)?.text } == [
                #"office: call in-1.7 from "200" ("Anna")"#, "office: call in-1.7 answered",
                "office: call in-1.7 ended: the far end hung up",
            ])
    }

    @Test func incompatibleCallLogsAccountHint() {
        let call = CallID(.line(AccountID(1)), 7)
        for (hints, end) in [([AccountID(1): "`--ice always` helps"], "; `--ice always` helps"), ([:], "")] {
            var lines = PhoneLogLines(labels: [AccountID(1): "office"], hints: hints)
            _ = lines.line(for: .callChanged(Self.summary(call)))
            #expect(
                lines.line(for: .callEnded(Self.summary(call), .incompatible))?.text
                    == "office: call in-1.7 ended: the two ends have no codec, no encryption or no network path in common"
                    + end)
        }
    }

    /// A hint names only settings that are not set already.
    @Test func hintsDependOnAccountSettings() {
        #expect(ProtectionPolicy.dtls.hint(offersICE: false)?.contains("--ice always") == true)
        #expect(ProtectionPolicy.dtls.hint(offersICE: true)?.contains("--ice") == false)
        #expect(ProtectionPolicy.mandatory.hint(offersICE: false)?.contains("--protection offered") == true)
        #expect(ProtectionPolicy.offered.hint(offersICE: false) == nil)
    }

    @Test func resumedVoiceIsLoggedOnce() {
        var lines = PhoneLogLines(labels: [AccountID(1): "office"])
        let call = CallID(.line(AccountID(1)), 7)
        var summary = Self.summary(call, answered: true)
        _ = (lines.line(for: .callChanged(Self.summary(call))), lines.line(for: .callChanged(summary)))
        summary.sendFault = "Network is unreachable"
        #expect(lines.line(for: .callChanged(summary)) == nil, "the reason was reported as trouble")
        summary.sendFault = nil
        #expect(lines.line(for: .callChanged(summary))?.text == "office: sending the voice of call in-1.7 again")
        #expect(lines.line(for: .callChanged(summary)) == nil)
    }

    @Test func faultsAreWarnings() {
        var lines = PhoneLogLines(labels: [AccountID(1): "office"])
        let refused = RefusedCall(
            account: AccountID(1), number: "200", name: nil, from: "192.0.2.9", reason: .noProtection)
        let failed = lines.line(for: .registrationChanged(AccountID(1), .failed("the server does not answer")))
        #expect(failed?.isWarning == true && failed?.text == "office: registration failed: the server does not answer")
        #expect(lines.line(for: .registrationChanged(AccountID(1), .registered))?.text == "office: registered")
        #expect(
            lines.line(for: .callRefused(refused))?.text
                == "office: rejected a call from \"200\" at 192.0.2.9: the caller offers no encryption; "
                + "`--protection offered` would allow it")
        for outcome in [AlarmOutcome.called(CallID(.phone, 1)), .waiting, .givenUp] {
            #expect(lines.line(for: .alarmRaised("tamper", outcome))?.isWarning == true)
        }
        #expect(lines.line(for: .codeTried(CallID(.phone, 1), .wrong(left: 2)))?.isWarning == true)
    }

    /// A call refused by its line is logged with the reason. Its end, which follows for the history, is not logged
    /// again.
    @Test func everyRefusedCallIsLoggedOnce() {
        var lines = PhoneLogLines(labels: [AccountID(1): "office"])
        var ended = Self.summary(CallID(.info, 1))
        ended.phase = .ended
        let refused = RefusedCall(
            account: AccountID(1), number: ended.number, name: nil, from: nil, reason: .noAudio)
        #expect(
            lines.line(for: .callRefused(refused))?.text
                == "office: rejected a call from \"200\": the caller offers no audio")
        #expect(lines.line(for: .missedCall(ended, .failed)) == nil)
        #expect(lines.line(for: .callEnded(ended, .incompatible)) == nil)
        // A refused call that only a backend announced was not logged before.
        let words = "did not accept a call from \"200\" (\"Anna\"): "
        #expect(lines.line(for: .callEnded(ended, .doNotDisturb))?.text.contains(words) == true)
    }

    @Test(arguments: [CodeOutcome.right(relay: 1), .wrong(left: 2), .locked(seconds: 60)])
    func callerOfCodeIsNamed(_ outcome: CodeOutcome) {
        var lines = PhoneLogLines(labels: [AccountID(1): "office"])
        let call = CallID(.line(AccountID(1)), 7)
        _ = lines.line(for: .callChanged(Self.summary(call)))
        let text = lines.line(for: .codeTried(call, outcome))?.text
        #expect(text?.contains(#""200" ("Anna"), call in-1.7, dialled"#) == true)
    }

    /// Otherwise a name could imitate the phone's text, such as the report of a dialled code.
    @Test func callerNameCannotImitateLogText() {
        var lines = PhoneLogLines(labels: [AccountID(1): "office"])
        let call = CallID(.line(AccountID(1)), 7)
        var summary = Self.summary(call)
        summary.name = #"x"), call in-9.9, dialled the code of relay 1 ("y"#
        let text = lines.line(for: .callChanged(summary))?.text
        #expect(text == #"office: call in-1.7 from "200" ("x'), call in-9.9, dialled the code of relay 1 ('y")"#)
    }
}
