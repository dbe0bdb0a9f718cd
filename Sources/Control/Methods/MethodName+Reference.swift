import Base
import PhoneCore

extension MethodName {
    /// The longest target that is passed to the machine, which decides what can be dialled.
    private static let target = MethodParameter.Kind.text(limit: Request.maximumTargetLength)

    /// What each method takes, does and returns.
    public var reference: MethodReference {
        switch self {
        case .dial, .call, .consult: Self.dialReference
        case .answer: MethodReference([.call], "answers what rings")
        case .hangup: MethodReference([.call], "ends, cancels or declines, whichever fits")
        case .decline: MethodReference([.call], "the same; without a call it declines what rings, and nothing else")
        case .hold: MethodReference([.call], "holds")
        case .resume: MethodReference([.call], "resumes")
        case .toggleHold: MethodReference([.call], "holds or resumes, whichever fits")
        case .setHold: MethodReference([.on, .call], "holds, or resumes")
        case .transfer: Self.transferReference
        case .acceptTransfer:
            MethodReference([.call], "calls whom the far end asked the phone to call (`transferRequested`)")
        case .declineTransfer: MethodReference([.call], "does not call there")
        case .park:
            MethodReference(
                [.required("orbit", Self.target, "its number"), .call],
                "a blind transfer to an orbit of the server, where calls wait")
        case .pickup:
            MethodReference(
                [.required("target", Self.target, "the number"), .account], "takes the call that rings at a number")
        case .conference: Self.conferenceReference
        case .compareWords:
            MethodReference(
                [
                    .required("agree", .flag, "whether they were the same at both ends"),
                    .optional("call", .call, "the call that is spoken in, when left out"),
                ],
                """
                a person has compared the `words` of a call with those that the far end reads: its key is remembered, or \
                forgotten; `wrongState` for a call without words, or without a number
                """)
        case .sendDTMF:
            MethodReference(
                [
                    .required("digits", .text(limit: Request.maximumDigits), "some of `0-9 * # A-D`, and `,` for 2 s"),
                    .call,
                ], "sends digits")
        case .setMute: MethodReference([.on], "closes the microphone, or opens it")
        case .toggleMute: MethodReference(does: "closes the microphone, or opens it, whichever fits")
        case .setRoute: MethodReference([.required("route", .words(of: Route.self), "")], "where the voice goes")
        case .setSpeaker:
            MethodReference(
                [.on], "speaker, or back to the headset or Bluetooth device that is there, else to the handset")
        case .toggleSpeaker: MethodReference(does: "what the speaker key does")
        case .setVolume:
            MethodReference(
                [
                    .required("kind", .words(of: VolumeKind.self), ""),
                    .required("level", .integer(0...Int64(PhoneSettings.loudest)), ""),
                ], "sets a volume")
        case .silenceRinger: MethodReference(does: "neither bell nor ringer for what rings now")
        case .startRecording:
            MethodReference(
                [.call], "records it, where `calls.recording` allows it; done when the file is there, see below")
        case .stopRecording: MethodReference(does: "done when the file is complete")
        case .startPlayback:
            MethodReference(
                [.required("file", .text(limit: Request.maximumFileLength), "its name below the folder"), .call],
                "plays it into the call, where `calls.playing` allows it; done when it is heard, see below")
        case .stopPlayback: MethodReference(does: "ends the file")
        case .startPage:
            MethodReference(
                [.required("group", .integer(1...Int64(Key.pages.upperBound)), "of `paging.groups`, counted from 1")],
                """
                lets the person at the phone speak to a group, where `paging` allows it; `soundInUse` while a call has \
                the sound, which has to be held first
                """)
        case .stopPage: MethodReference(does: "ends the page that the phone sends")
        case .testSound:
            MethodReference(
                [
                    .optional(
                        "route", .words(of: Route.self), "that of `sound.self_test`, or the speaker, when left out")
                ],
                """
                tests whether the microphone hears the loudspeaker: some two seconds, of which one can be heard; done \
                when `soundTested` tells the result. `soundInUse` unless the phone is at rest; `notSupported` for the \
                handset, which hears nothing of itself in its cradle
                """)
        case .setDoNotDisturb: MethodReference([.on], "refuses calls, or takes them")
        case .clearMissedCalls:
            MethodReference([.optional("call", .call, "this one only")], "all missed calls were seen")
        case .relay:
            MethodReference(
                [
                    .required("number", .integer(1...255), "which relay"),
                    .required("order", .word(["on", "off", "pulse"]), ""),
                ], "a door, a lamp, a gate")
        case .switchOrganization:
            MethodReference(
                [.required("organization", .text(limit: Request.maximumOrganizationLength), "as the backend names it")],
                "works for another organization")
        case .signIn:
            MethodReference(does: "signs in at the backend; `notSupported`, because there is none yet")
        case .signOut:
            MethodReference(does: "signs out there; `notSupported`, because there is no backend yet")
        case .connect:
            MethodReference(does: "registers the accounts that are not registered, as after `disconnect`")
        case .disconnect:
            MethodReference(
                does:
                    "unregisters all accounts, so that no call arrives, until `connect`, `reconnect`, an emergency number or a new start; calls that are up go on, but those over Verto, which are their session's"
            )
        case .reconnect:
            MethodReference(
                does: "registers all accounts anew, as after a change of the network; calls that are up move with them")
        case .getSnapshot: MethodReference(does: "tells everything", result: "see below")
        case .getMissedCalls: Self.getMissedCallsReference
        case .getNetworkStatus:
            MethodReference(
                does: "tells the network's state and kind, `unknown` where nobody looked",
                result:
                    "`{\"kind\":\"wired\",\"status\":\"connected\"}`; `status`: `connected`, `disconnected`, `reconnecting`, `unknown`; `kind` as in `networkStatusChanged`, or `unknown`"
            )
        case .getConnectionState:
            MethodReference(
                does: "tells the state of all lines",
                result: "`{\"registrations\":[…],\"state\":\"connected\"}`, `connecting` or `disconnected`")
        case .getDisplay:
            MethodReference(
                [
                    .optional("columns", .integer(SnapshotQuestion.columns), "20 when left out"),
                    .optional("rows", .integer(SnapshotQuestion.rows), "4 when left out"),
                ],
                "tells what a display shows, and how that looks on one of this size",
                result:
                    "`{\"detail\":\"In call\",\"notes\":[\"Muted\"],\"rows\":[\"Ada                 \",\"In call        02:05\",…],\"since\":…,\"title\":\"Ada\"}`; `since`: from when the call is up, as `at` of `getSnapshot`"
            )
        case .getPendingIncomingCall:
            MethodReference(does: "tells what rings", result: "`{\"summary\":{…}}`, or `{\"summary\":null}`")
        case .getDeviceID:
            MethodReference(
                does: "tells this phone's name, which stays the same over restarts and addresses (RFC 5626 §4.1)",
                result: "`{\"deviceId\":\"urn:uuid:…\"}`; null for a phone without a vault")
        case .getPushToken:
            MethodReference(
                does: "tells the token by which a backend wakes this phone", result: "`{\"pushToken\":\"none\"}`")
        case .getBootTimeline:
            MethodReference(
                does: "tells how long the steps of the last start took",
                result: "`{\"readyMs\":11.2,\"steps\":[{\"budgetMs\":20,\"name\":\"vault\",\"tookMs\":3.1},…]}`")
        case .getPanel: Self.getPanelReference
        case .getSignals: Self.getSignalsReference
        case .getStatistics:
            MethodReference(
                does:
                    "tells counters of the program, of each line by its name (what it did not read, and could not send), of this interface and of the turns of the control loop, and how loud the sound is",
                result:
                    "an object for each; `levels`: `microphone` and `playback` in dB below full scale, null for silence"
            )
        case .getMetrics:
            MethodReference(
                does: "tells all figures in the text format of Prometheus, see [metrics.md](metrics.md)",
                result: "`{\"text\":\"# HELP offhook_build_info …\"}`")
        case .getHistory: Self.getHistoryReference
        case .getContacts:
            MethodReference(
                [.optional("after", .integer(0...Int64.max), "how many are known; 0 when left out")],
                "tells 100 contacts, in the order in which they were added",
                result:
                    "`{\"contacts\":[{\"blocked\":false,\"name\":\"Anna\",\"number\":\"200\",\"ring\":null},…],\"more\":false}`"
            )
        case .addContact:
            MethodReference(
                [
                    .required("number", Self.contactText, ""),
                    .optional("name", Self.contactText, "the number when left out"), Self.contactRing,
                    Self.contactBlocked,
                ], "adds a contact, or changes the one with the same number; what is left out stays as it is there")
        case .changeContact:
            MethodReference(
                [
                    .required("number", Self.contactText, "the present one"),
                    .optional("newNumber", Self.contactText, "one that no other contact has"),
                    .optional("name", Self.contactText, ""), Self.contactRing, Self.contactBlocked,
                ], "changes a contact; what is left out stays as it is")
        case .removeContact:
            MethodReference([.required("number", Self.contactText, "")], "removes the contact with this number")
        case .importContacts:
            MethodReference(
                [.required("vcard", .text(limit: VaultQuestion.longestImport), "whole cards; a longer file in pieces")],
                """
                adds the contacts of vCards; one with a number that is known changes it, and what the card does not say \
                stays
                """)
        case .exportContacts:
            MethodReference(
                [.optional("after", .integer(0...Int64.max), "how many are known; 0 when left out")],
                "tells 100 contacts as vCards (RFC 6350)",
                result: "`{\"count\":100,\"more\":true,\"vcard\":\"BEGIN:VCARD…\"}`")
        case .getTokens:
            MethodReference(
                does: "tells who may use this interface over HTTP",
                result: "`{\"tokens\":[{\"created\":1764000000000,\"label\":\"panel\",\"scope\":\"call\"},…]}`")
        case .addToken:
            MethodReference(
                [
                    .required("label", Self.contactText, "for whom"),
                    .required("scope", .words(of: AccessScope.self), ""),
                ], "draws a token for HTTP. The phone keeps only its digest and cannot tell it again",
                result: "`{\"token\":\"ohk_…\"}`")
        case .removeToken:
            MethodReference(
                [.required("label", Self.contactText, "")],
                "from now on that token opens nothing; connections that it opened are closed",
                result: "as that of `getTokens`")
        case .getSetup, .tryDevice, .tryAccount, .addAccount, .planSetup, .writeSetup, .restart: setupReference
        case .subscribe: MethodReference(does: "events from now on, `clientReady` first")
        case .cancel:
            MethodReference(
                [.required("id", .identifier, "of a request of this connection that has no answer")],
                "answers that request with `cancelled`. What it began goes on: `hangup` ends a call")
        case .ping:
            MethodReference(
                does: "tells that the phone runs", result: "`{\"version\":\"\(ProgramVersion.text)\"}`")
        case .discover: MethodReference(does: "describes this interface", result: "an OpenRPC document")
        case .liftHook, .replaceHook: MethodReference(does: "simulated panel only")
        case .pressKey:
            MethodReference(
                [
                    .required("key", .text(limit: 32), "a name as in board files"),
                    .optional("holdMs", .integer(ProgramMethods.keyPress), "120 when left out"),
                ], "simulated panel only")
        case .setLine:
            MethodReference(
                [.required("name", .text(limit: 128), "an input line"), .required("level", .integer(0...1), "")],
                "simulated panel only")
        }
    }

    private static let shownParty = MethodParameter.Kind.text(limit: Request.longestParty)

    private static let dialReference = MethodReference(
        [
            .required("target", target, "digits or a SIP address"), .account,
            .optional(
                "callerName", shownParty,
                "what the far end is shown instead of the account's name, if the server lets it"),
            .optional("callerNumber", shownParty, "the same of the number"),
            .optional("headers", .headers, "headers of this call's own, for the server and the far end"),
            .optional("key", .text(limit: RepeatedRequests.longestKey), "the same key means the same call, see below"),
        ],
        """
        calls; a call that is up goes on hold for it. Refused while another call rings for somebody. At rest the \
        voice goes to the headset or Bluetooth device that is there, else to the default route: lift the handset, or \
        `setRoute` first
        """)

    private static let transferReference = MethodReference(
        [
            .optional("to", target, "a blind transfer: digits or a SIP address"),
            .optional("toCall", .call, "an attended transfer, to the far end of another call of the same account"),
            .call,
        ],
        """
        the far end calls somebody else, or the far ends of both calls talk to each other. Answered when the far end \
        accepts; then `callEnded` with the reason `transferred`, or `transferFailed`, tells what came of it
        """)

    private static let conferenceReference = MethodReference(
        does: """
            the held call and the other one hear each other and the person here, until one of them ends or is held; \
            the microphone is muted for both or for none
            """)

    private static let getMissedCallsReference = MethodReference(
        [.optional("before", .call, "only those before it")],
        "tells the newest 20 missed calls of this run, or the 20 before another one, oldest first",
        result: "`{\"missed\":[…],\"more\":true}`; `more`: there are older ones")

    private static let contactText = MethodParameter.Kind.text(limit: 256)
    private static let contactRing = MethodParameter.optional(
        "ring", contactText, "a name of `calls.rings`; empty: the usual one")
    private static let contactBlocked = MethodParameter.optional("blocked", .flag, "calls from there are refused")

    private static let getHistoryReference = MethodReference(
        [
            .optional("before", .integer(0...Int64.max), "the `id` of a call: only older ones"),
            .optional("direction", .words(of: CallSummary.Direction.self), ""),
            .optional("missed", .flag, "missed ones, or the others"), .account,
            .optional("text", .text(limit: 256), "a part of the number or the name"),
        ], "tells the newest 50 calls of the last 1,000, of former runs too, newest first", result: "see below")

    private static let getPanelReference = MethodReference(
        does: """
            tells what the panel has: its keys and lamps by their names in board files, what its line keys, speed \
            dials and voicemail key stand for, and whether it is simulated
            """,
        result:
            "`{\"bell\":true,\"hook\":true,\"keys\":[\"1\",…],\"lamps\":[\"line\",…],\"meanings\":{\"speed-1\":\"200\"},\"name\":\"Simulator\",\"simulated\":true}`"
    )

    private static let getSignalsReference = MethodReference(
        [
            .optional("after", .integer(0...Int64.max), "the number of the last one that is known"),
            .optional("wait", .flag, "answer when there is one"),
        ], "tells the SIP messages behind that number", result: "see below")
}
