import Base
import PhoneCore

extension MethodName {
    /// The longest target. The machine decides what can be dialled.
    private static let target = MethodParameter.Kind.text(limit: Request.maximumTargetLength)

    /// The parameters, effect and result of each method.
    public var reference: MethodReference {
        switch self {
        case .dial, .call, .consult: Self.dialReference
        case .answer: MethodReference([.call], "Answers the ringing call.")
        case .hangup: MethodReference([.call], "Ends, cancels or declines the call, depending on its state.")
        case .decline: MethodReference([.call], "Like `hangup`, but without `call` it only declines a ringing call.")
        case .hold: MethodReference([.call], "Puts the call on hold.")
        case .resume: MethodReference([.call], "Takes the call off hold.")
        case .toggleHold: MethodReference([.call], "Holds or resumes the call, depending on its state.")
        case .setHold: MethodReference([.on, .call], "Holds (`true`) or resumes the call.")
        case .transfer: Self.transferReference
        case .acceptTransfer:
            MethodReference([.call], "Accepts the far end's request (`transferRequested`) and calls its target.")
        case .declineTransfer: MethodReference([.call], "Rejects the far end's request (`transferRequested`).")
        case .park:
            MethodReference(
                [.required("orbit", Self.target, "number of the orbit"), .call],
                "Parks the call by a blind transfer to an orbit of the server.")
        case .pickup:
            MethodReference(
                [.required("target", Self.target, "the ringing number"), .account],
                "Picks up the call that rings at another number.", result: Self.callResult)
        case .conference: Self.conferenceReference
        case .compareWords:
            MethodReference(
                [
                    .required("agree", .flag, "whether both ends show the same words"),
                    .optional("call", .call, "default: the active call"),
                ],
                """
                Stores whether a person found the same `words` at both ends. The phone remembers or forgets the key. \
                `wrongState` without words or number.
                """)
        case .sendDTMF:
            MethodReference(
                [
                    .required(
                        "digits", .text(limit: Request.maximumDigits), "`0-9 * # A-D`, and `,` for a pause of 2 s"),
                    .call,
                ], "Sends DTMF digits.")
        case .setMute: MethodReference([.on], "Mutes (`true`) or unmutes the microphone.")
        case .toggleMute: MethodReference(does: "Mutes or unmutes the microphone, depending on its state.")
        case .setRoute:
            MethodReference([.required("route", .words(of: Route.self), "")], "Switches the sound to a route.")
        case .setSpeaker:
            MethodReference(
                [.on],
                "Switches to the speaker, or back to a present headset or Bluetooth device, otherwise to the handset.")
        case .toggleSpeaker: MethodReference(does: "Acts like the speaker key.")
        case .setVolume:
            MethodReference(
                [
                    .required("kind", .words(of: VolumeKind.self), ""),
                    .required("level", .integer(0...Int64(PhoneSettings.loudest)), ""),
                ], "Sets a volume.")
        case .silenceRinger: MethodReference(does: "Silences bell and ringer for the calls that ring now.")
        case .startRecording:
            MethodReference(
                [.call], "Records the call, if `calls.recording` allows it. Answers when the file exists, see below.")
        case .stopRecording: MethodReference(does: "Stops recording. Answers when the file is complete.")
        case .startPlayback:
            MethodReference(
                [.required("file", .text(limit: Request.maximumFileLength), "name in the folder"), .call],
                "Plays a file into the call, if `calls.playing` allows it. Answers when it plays, see below.")
        case .stopPlayback: MethodReference(does: "Stops the file.")
        case .startPage:
            MethodReference(
                [.required("group", .integer(1...Int64(Key.pages.upperBound)), "place in `paging.groups`, from 1")],
                """
                Sends a page from this phone's microphone to a group, if `paging` allows it. `soundInUse` while a call \
                has the sound: hold it first.
                """)
        case .stopPage: MethodReference(does: "Ends the page that the phone sends.")
        case .testSound:
            MethodReference(
                [
                    .optional(
                        "route", .words(of: Route.self), "default: that of `sound.self_test`, or the speaker")
                ],
                """
                Tests for about two seconds whether the microphone hears the loudspeaker. Answers after `soundTested`. \
                `soundInUse` unless the phone is idle; `notSupported` for the handset.
                """)
        case .setDoNotDisturb: MethodReference([.on], "Turns do-not-disturb on or off.")
        case .clearMissedCalls:
            MethodReference([.optional("call", .call, "only this one")], "Marks all missed calls as seen.")
        case .reset:
            MethodReference(
                does: "Ends every call at once and gives up everything that is under way. The program goes on.")
        case .relay:
            MethodReference(
                [
                    .required("number", .integer(1...255), "number of the relay"),
                    .required("order", .word(["on", "off", "pulse"]), ""),
                ], "Switches a relay (on, off or pulse), for example of a door, a lamp or a gate.")
        case .switchOrganization:
            MethodReference(
                [.required("organization", .text(limit: Request.maximumOrganizationLength), "its `id` at the backend")],
                """
                Switches the phone to another organization, without calls only. After a failure everything is as \
                before.
                """)
        case .signIn: Self.signInReference
        case .cancelSignIn: MethodReference(does: "Gives up the sign-in that waits for a person.")
        case .signOut:
            MethodReference(
                does: """
                    Signs out at the backend, without calls only. The phone forgets tokens, credentials and the account \
                    of the sign-in; contacts and history stay.
                    """)
        case .getOrganizations: Self.getOrganizationsReference
        case .connect:
            MethodReference(does: "Registers the accounts that are not registered, for example after `disconnect`.")
        case .disconnect:
            MethodReference(
                does:
                    "Unregisters all accounts, until `connect`, `reconnect`, an emergency call or a restart. Present "
                    + "calls continue, except over Verto, where they belong to the session."
            )
        case .reconnect:
            MethodReference(
                does: "Registers all accounts again, as after a change of the network. Present calls move along.")
        case .getSnapshot: MethodReference(does: "Returns the whole state of the phone.", result: "see below")
        case .getMissedCalls: Self.getMissedCallsReference
        case .getNetworkStatus:
            MethodReference(
                does: "Returns the network's state and kind; `unknown` if the phone does not watch it.",
                result:
                    "`{\"isCallActive\":false,\"kind\":\"wired\",\"status\":\"connected\"}`; `status`: `connected`, "
                    + "`disconnected`, `reconnecting`, `unknown`; `kind` as in `networkStatusChanged`, or `unknown`; "
                    + "`isCallActive`: whether a call is answered and not over"
            )
        case .getConnectionState:
            MethodReference(
                does: "Returns the state of all lines.",
                result: "`{\"registrations\":[…],\"state\":\"connected\"}`, `connecting` or `disconnected`")
        case .getDisplay:
            MethodReference(
                [
                    .optional("columns", .integer(SnapshotQuestion.columns), "default: 20"),
                    .optional("rows", .integer(SnapshotQuestion.rows), "default: 4"),
                ],
                "Returns the display's contents, also laid out for this size.",
                result:
                    "`{\"detail\":\"In call\",\"notes\":[\"Muted\"],\"rows\":[\"Ada                 \",\"In call     "
                    + "   02:05\",…],\"since\":…,\"title\":\"Ada\"}`; `since`: "
                    + "when the call was answered, in the clock of `at`"
            )
        case .getPendingIncomingCall:
            MethodReference(does: "Returns the ringing call.", result: "`{\"summary\":{…}}`, or `{\"summary\":null}`")
        case .getDeviceID:
            MethodReference(
                does: "Returns the phone's identifier, which survives restarts and new addresses (RFC 5626 §4.1).",
                result: "`{\"deviceId\":\"urn:uuid:…\"}`; null for a phone without a vault")
        case .getPushToken:
            MethodReference(
                does: "Returns the name of the registration at the broker of caller info, as the backend gave it.",
                result: "`{\"pushToken\":\"mqtt-dt-3-2\"}`, or `{\"pushToken\":\"none\"}`")
        case .getBootTimeline:
            MethodReference(
                does: "Returns how long each step of the last start took.",
                result: "`{\"readyMs\":11.2,\"steps\":[{\"budgetMs\":20,\"name\":\"vault\",\"tookMs\":3.1},…]}`")
        case .getPanel: Self.getPanelReference
        case .getSignals: Self.getSignalsReference
        case .getStatistics:
            MethodReference(
                does:
                    "Returns counters of the program, the lines (ignored and unsent messages), this interface and "
                    + "the control loop's turns, and the sound levels.",
                result:
                    "an object for each of these; `levels`: `microphone` and `playback` "
                    + "in dB below full scale, null for silence"
            )
        case .getMetrics:
            MethodReference(
                does: "Returns all metrics in Prometheus text format, see [metrics.md](metrics.md).",
                result: "`{\"text\":\"# HELP offhook_build_info …\"}`")
        case .getHistory: Self.getHistoryReference
        case .getContacts:
            MethodReference(
                [.optional("after", .integer(0...Int64.max), "how many the client has; default: 0")],
                "Returns up to 100 contacts, in the order of addition.",
                result:
                    "`{\"contacts\":[{\"blocked\":false,\"name\":\"Anna\",\"number\":\"200\",\"ring\":null},…],\"more\":false}`"
            )
        case .addContact:
            MethodReference(
                [
                    .required("number", Self.contactText, ""),
                    .optional("name", Self.contactText, "default: the number"), Self.contactRing,
                    Self.contactBlocked,
                ], "Adds a contact, or changes the one with the same number. Omitted parameters stay unchanged.")
        case .changeContact:
            MethodReference(
                [
                    .required("number", Self.contactText, "the present number"),
                    .optional("newNumber", Self.contactText, "a number of no other contact"),
                    .optional("name", Self.contactText, ""), Self.contactRing, Self.contactBlocked,
                ], "Changes a contact. Omitted parameters stay unchanged.")
        case .removeContact:
            MethodReference([.required("number", Self.contactText, "")], "Removes the contact with this number.")
        case .importContacts:
            MethodReference(
                [.required("vcard", .text(limit: VaultQuestion.longestImport), "whole cards; split a longer file")],
                """
                Adds the contacts of vCards. A card with a known number changes that contact; properties that it lacks \
                stay unchanged.
                """)
        case .exportContacts:
            MethodReference(
                [.optional("after", .integer(0...Int64.max), "how many the client has; default: 0")],
                "Returns up to 100 contacts as vCards (RFC 6350).",
                result: "`{\"count\":100,\"more\":true,\"vcard\":\"BEGIN:VCARD…\"}`")
        case .getTokens:
            MethodReference(
                does: "Returns the tokens for HTTP, without their secrets.",
                result: "`{\"tokens\":[{\"created\":1764000000000,\"label\":\"panel\",\"scope\":\"call\"},…]}`")
        case .addToken:
            MethodReference(
                [
                    .required("label", Self.contactText, "name of the token"),
                    .required("scope", .words(of: AccessScope.self), ""),
                ], "Creates a token for HTTP. The phone stores only its digest, so it cannot return the token again.",
                result: "`{\"token\":\"ohk_…\"}`")
        case .removeToken:
            MethodReference(
                [.required("label", Self.contactText, "")],
                "Revokes a token and closes its connections.",
                result: "as of `getTokens`")
        case .getSetup, .tryDevice, .tryAccount, .addAccount, .changeAccount, .removeAccount, .planSetup, .writeSetup,
            .restart, .reload:
            setupReference
        case .subscribe: MethodReference(does: "Subscribes to events, beginning with `clientReady`.")
        case .cancel:
            MethodReference(
                [.required("id", .identifier, "`id` of an unanswered request of this connection")],
                "Answers that request with `cancelled`. Its action continues; `hangup` ends a call.")
        case .ping:
            MethodReference(
                does: "Returns the version of the running phone.", result: "`{\"version\":\"\(ProgramVersion.text)\"}`")
        case .discover:
            MethodReference(does: "Returns the description of this interface.", result: "an OpenRPC document")
        case .liftHook, .replaceHook: MethodReference(does: "Moves the handset; simulated panel only.")
        case .pressKey:
            MethodReference(
                [
                    .required("key", .text(limit: 32), "a key's name, as in board files"),
                    .optional("holdMs", .integer(ProgramMethods.keyPress), "default: 120"),
                ], "Presses a key; simulated panel only.")
        case .setLine:
            MethodReference(
                [.required("name", .text(limit: 128), "an input line"), .required("level", .integer(0...1), "")],
                "Sets a line; simulated panel only.")
        }
    }

    private static let shownParty = MethodParameter.Kind.text(limit: Request.longestParty)

    private static let dialReference = MethodReference(
        [
            .required("target", target, "digits or a SIP address"), .account,
            .optional(
                "callerName", shownParty,
                "name shown to the far end, if the server allows it"),
            .optional("callerNumber", shownParty, "number shown to the far end, if the server allows it"),
            .optional("headers", .headers, "additional headers of this call, for the server and the far end"),
            .optional("key", .text(limit: RepeatedRequests.longestKey), "makes a repeated request safe, see below"),
        ],
        """
        Calls the target and holds the present call. An idle phone uses headset, Bluetooth or the default route; it \
        rejects this while an incoming call rings.
        """, result: callResult)

    private static let callResult = "`{\"callId\":\"out-3\"}`, when the call is on its way"

    private static let transferReference = MethodReference(
        [
            .optional("to", target, "blind transfer: digits or a SIP address"),
            .optional("toCall", .call, "attended transfer: another call of the same account"),
            .call,
        ],
        """
        Transfers the far end. Answers when the far end accepts; the outcome follows as `callEnded` with \
        `transferred`, or `transferFailed`.
        """)

    private static let conferenceReference = MethodReference(
        does: """
            Joins the held call, the other call and this phone, until a call ends or is held. Mute applies to both \
            calls.
            """)

    private static let signInReference = MethodReference(
        does: """
            Begins a sign-in at the backend, or returns the code of the one that waits. `signedIn` or `signInFailed` \
            follows. `wrongState` if the phone is signed in.
            """,
        result: """
            `{"address":"https://id.example/device","code":"WDJB-MJHT","completeAddress":"https://…","seconds":600,\
            "until":…}`; a person enters `code` at `address`; optional `qr` as in the event `signInCode`
            """)

    private static let getOrganizationsReference = MethodReference(
        does: "Asks the backend for the organizations of the user who has signed in.",
        result: """
            `{"organizations":[{"channelNumber":"+442079460017","id":"17","isCurrent":true,"isDefault":true,\
            "name":"Analytical Engines","slug":"analytical-engines"},…]}`
            """)

    private static let getMissedCallsReference = MethodReference(
        [.optional("before", .call, "only older ones than this")],
        "Returns the newest 20 missed calls that nobody has seen, or the 20 before a call. Oldest first.",
        result: "`{\"missed\":[…],\"more\":true}`; `more`: whether there are older ones")

    private static let contactText = MethodParameter.Kind.text(limit: 256)
    private static let contactRing = MethodParameter.optional(
        "ring", contactText, "a name from `calls.rings`; empty: the default")
    private static let contactBlocked = MethodParameter.optional(
        "blocked", .flag, "whether to reject the contact's calls")

    private static let getHistoryReference = MethodReference(
        [
            .optional("before", .integer(0...Int64.max), "only older calls than this `id`"),
            .optional("direction", .words(of: CallSummary.Direction.self), ""),
            .optional("missed", .flag, "only missed calls, or only others"), .account,
            .optional("text", .text(limit: 256), "part of the number or the name"),
        ], "Returns 50 of the last 1,000 calls, newest first, including former runs.", result: "see below")

    private static let getPanelReference = MethodReference(
        does: """
            Returns the panel's keys and lamps (names of board files), the meanings of its line, speed-dial and \
            voicemail keys, and whether it is simulated. The meaning of an organization key is the organization's `id`.
            """,
        result:
            "`{\"bell\":true,\"hook\":true,\"keys\":[\"1\",…],\"lamps\":[\"line\",…],\"meanings\":{\"speed-1\":\"200\"},\"name\":\"Simulator\",\"organizationKeys\":[\"speed-3\"],\"simulated\":true}`"
    )

    private static let getSignalsReference = MethodReference(
        [
            .optional("after", .integer(0...Int64.max), "number of the last known message"),
            .optional("wait", .flag, "whether to wait for a message"),
        ], "Returns the SIP messages after that number.", result: "see below")
}
