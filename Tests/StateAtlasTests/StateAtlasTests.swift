import Base
import Foundation
import PhoneCore
import StateAtlas
import Testing

@Suite struct StateAtlasTests {
    private static let atlas = Atlas()

    private func document(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/dev/\(name)"), encoding: .utf8)
    }

    private static let remedy: Comment = "docs/dev is stale: swift run -c release offhook-states"

    @Test func tableIsUpToDate() throws {
        let isFresh = try document("states.md") == StatePage(Self.atlas).text
        #expect(isFresh, Self.remedy)
    }

    @Test func pictureIsUpToDate() throws {
        let isFresh = try document("states.svg") == Diagram(Self.atlas).text
        #expect(isFresh, Self.remedy)
    }

    @Test func everyStimulusHasItsOwnEvent() {
        for call in [nil, CallID(.phone, 1), CallID(.info, 1), CallID(.line(.direct), 1)] {
            let kinds = Subject(call, at: .zero).representatives.map { Stimulus($0) }
            #expect(kinds == Stimulus.allCases)
        }
    }

    @Test func everySituationMeetsEveryStimulus() {
        for situation in Situation.allCases {
            #expect(Self.atlas.outcomes(in: situation).map(\.stimulus) == Stimulus.allCases)
        }
    }

    /// `ended` and `failed` last for a part of a turn; every other phase has a situation, and all ten are reached.
    @Test func everyPhaseIsCovered() {
        let lasting = CallSummary.Phase.allCases.filter { $0 != .ended && $0 != .failed }
        #expect(Self.atlas.restingPhases == lasting)
        let reached = Set(Self.atlas.outcomes.map(\.after))
        #expect(reached == Set(CallSummary.Phase.allCases))
    }

    @Test(arguments: Situation.allCases)
    func callIsInPhaseOfItsSituation(_ situation: Situation) {
        let meant: CallSummary.Phase =
            switch situation {
            case .idle, .paging, .testing: .idle
            case .ringingIn, .announced: .ringingIn
            case .preparing, .dialling, .dialled, .earlyMedia: .ringingOut
            case .awaitingOffer, .awaitingLine, .askingBackend, .storingContext, .registering, .answering, .settingUp:
                .connecting
            case .active, .impaired, .unsent, .interrupted, .transferring, .handingOver, .holding: .active
            case .heldHere, .heldThere, .heldByBoth, .resuming: .onHold
            case .pathLost, .pathLostHeld, .moving: .reconnecting
            case .leaving, .breaking: .disconnecting
            }
        let found = Self.atlas.outcomes(in: situation)[0].before
        #expect(found == meant)
    }

    /// No call waits forever: without input, every call leaves its phase.
    @Test func everyIdleCallMovesOn() {
        for outcome in Self.atlas.outcomes where outcome.stimulus == .time && outcome.before != .idle {
            #expect(outcome.before != outcome.after, "\(outcome.situation)")
        }
    }

    /// A stimulus without any effect lacks a situation in which it matters.
    @Test func everyStimulusDoesSomethingSomewhere() {
        let idle = Stimulus.allCases.filter { stimulus in
            Self.atlas.everywhere(stimulus).map { $0.changesNothing && $0.refusal == nil } ?? false
        }
        // A delay only moves the deadline of a request. The server's text about an end comes before the end. The time
        // of day only chooses the target of a later key, and the length of a key press decides nothing. Recordings,
        // files, pages, the ringer, earlier devices and a speaker that is on do not affect a call's phase, and have no
        // situation here. Nor has a path that ICE has found. A phone that is signed in, and has not asked, expects no
        // code, no failure and no list.
        #expect(
            idle == [
                .termsDelayed, .endTold, .pathDoubted, .recordingStarted, .recordingEnded, .playbackStarted,
                .playbackEnded, .pageEnded, .devicePresent, .deviceAbsent, .ringerFound, .clock, .policyChanged,
                .speakerOff,
                .keyReleased,
                .restored, .signInCode, .signInWaits, .signInFailed, .listed, .notListed,
            ])
    }

    @Test func repeatedRunsAreEqual() {
        #expect(Atlas().outcomes == Self.atlas.outcomes)
    }
}
