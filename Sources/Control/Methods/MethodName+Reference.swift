import Base
import PhoneCore

extension MethodName {
    /// The longest target. The machine decides what can be dialled.
    private static let target = MethodParameter.Kind.text(limit: Request.maximumTargetLength)

    /// The parameters, effect and result of each method.
    public var reference: MethodReference {
        switch self {
        case .dial, .call, .consult: Self.dialReference
        case .answer: .phone("Answers the ringing call.", call: Request.answer)
        case .hangup:
            .phone("Ends, cancels or declines the call, depending on its state.", call: Request.hangUp)
        case .decline:
            .phone("Like `hangup`, but without `call` it only declines a ringing call.", call: Request.decline)
        case .hold: .phone("Puts the call on hold.", call: Request.hold)
        case .resume: .phone("Takes the call off hold.", call: Request.resume)
        case .toggleHold:
            .phone("Holds or resumes the call, depending on its state.", call: Request.toggleHold)
        case .setHold: .phone("Holds (`true`) or resumes the call.", [.on, .call], reads: Request.setHold)
        case .transfer: Self.transferReference
        case .acceptTransfer:
            .phone(
                "Accepts the far end's request (`transferRequested`) and calls its target.",
                call: Request.acceptTransfer)
        case .declineTransfer:
            .phone("Rejects the far end's request (`transferRequested`).", call: Request.declineTransfer)
        case .park:
            .phone(
                "Parks the call by a blind transfer to an orbit of the server.",
                [.required("orbit", Self.target, "number of the orbit"), .call]
            ) { params throws(RPCError) in
                .transfer(try params.call(), to: try params.text("orbit", limit: Request.maximumTargetLength))
            }
        case .pickup:
            .phone(
                "Picks up the call that rings at another number.",
                [.required("target", Self.target, "the ringing number"), .account], result: Self.callResult,
                reads: Request.pickUp)
        case .conference: Self.conferenceReference
        case .compareWords:
            .phone(
                """
                Stores whether a person found the same `words` at both ends. The phone remembers or forgets the key. \
                `wrongState` without words or number.
                """,
                [
                    .required("agree", .flag, "whether both ends show the same words"),
                    .optional("call", .call, "default: the active call"),
                ]
            ) { params throws(RPCError) in .compareWords(try params.call(), agree: try params.flag("agree")) }
        case .sendDTMF:
            .phone(
                "Sends DTMF digits.",
                [
                    .required(
                        "digits", .text(limit: Request.maximumDigits), "`0-9 * # A-D`, and `,` for a pause of 2 s"),
                    .call,
                ], reads: Request.dtmf)
        case .setMute: .phone("Mutes (`true`) or unmutes the microphone.", on: Request.mute)
        case .toggleMute: .phone("Mutes or unmutes the microphone, depending on its state.", request: .toggleMute)
        case .setRoute:
            .phone("Switches the sound to a route.", [.required("route", .words(of: Route.self), "")]) {
                params throws(RPCError) in .route(try params.choice("route"))
            }
        case .setSpeaker:
            .phone(
                "Switches to the speaker, or back to a present headset or Bluetooth device, otherwise to the handset.",
                on: Request.speaker)
        case .toggleSpeaker: .phone("Acts like the speaker key.", request: .toggleSpeaker)
        case .setVolume:
            .phone(
                "Sets a volume.",
                [
                    .required("kind", .words(of: VolumeKind.self), ""),
                    .required("level", .integer(0...Int64(PhoneSettings.loudest)), ""),
                ], reads: Request.volume)
        case .silenceRinger: .phone("Silences bell and ringer for the calls that ring now.", request: .silenceRinger)
        case .startRecording:
            .phone(
                "Records the call, if `calls.recording` allows it. Answers when the file exists, see below.",
                call: Request.startRecording)
        case .stopRecording: .phone("Stops recording. Answers when the file is complete.", request: .stopRecording)
        case .startPlayback:
            .phone(
                "Plays a file into the call, if `calls.playing` allows it. Answers when it plays, see below.",
                [.required("file", .text(limit: Request.maximumFileLength), "name in the folder"), .call],
                reads: Request.startPlayback)
        case .stopPlayback: .phone("Stops the file.", request: .stopPlayback)
        case .startPage:
            .phone(
                """
                Sends a page from this phone's microphone to a group, if `paging` allows it. `soundInUse` while a call \
                has the sound: hold it first.
                """, [.required("group", .integer(1...Int64(Key.pages.upperBound)), "place in `paging.groups`, from 1")]
            ) { params throws(RPCError) in
                .startPage(group: UInt8(try params.integer("group", in: 1...Int64(Key.pages.upperBound))))
            }
        case .stopPage: .phone("Ends the page that the phone sends.", request: .stopPage)
        case .testSound:
            .phone(
                """
                Tests for about two seconds whether the microphone hears the loudspeaker. Answers after `soundTested`. \
                `soundInUse` unless the phone is idle; `notSupported` for the handset.
                """,
                [
                    .optional(
                        "route", .words(of: Route.self), "default: that of `sound.self_test`, or the speaker")
                ]
            ) { params throws(RPCError) in .testSound(params.has("route") ? try params.choice("route") : nil) }
        case .setDoNotDisturb: .phone("Turns do-not-disturb on or off.", on: Request.doNotDisturb)
        case .clearMissedCalls:
            .phone("Marks all missed calls as seen.", [.optional("call", .call, "only this one")]) {
                params throws(RPCError) in .clearMissedCalls(try params.call())
            }
        case .reset:
            .phone(
                "Ends every call at once and gives up everything that is under way. The program goes on.",
                request: .reset)
        case .relay:
            .phone(
                "Switches a relay (on, off or pulse), for example of a door, a lamp or a gate.",
                [
                    .required("number", .integer(1...255), "number of the relay"),
                    .required("order", .word(["on", "off", "pulse"]), ""),
                ], reads: Request.relay)
        case .switchOrganization:
            .phone(
                """
                Switches the phone to another organization, without calls only. After a failure everything is as \
                before.
                """,
                [.required("organization", .text(limit: Request.maximumOrganizationLength), "its `id` at the backend")],
                scope: .configure, reads: Request.switchOrganization)
        case .signIn: Self.signInReference
        case .cancelSignIn:
            .phone("Gives up the sign-in that waits for a person.", scope: .configure, request: .cancelSignIn)
        case .signOut:
            .phone(
                """
                Signs out at the backend, without calls only. The phone forgets tokens, credentials and the account \
                of the sign-in; contacts and history stay.
                """, scope: .configure, request: .signOut)
        case .getOrganizations: Self.getOrganizationsReference
        case .connect:
            .phone(
                "Registers the accounts that are not registered, for example after `disconnect`.", scope: .configure,
                request: .connectAccounts)
        case .disconnect:
            .phone(
                "Unregisters all accounts, until `connect`, `reconnect`, an emergency call or a restart. Present "
                    + "calls continue, except over Verto, where they belong to the session.", scope: .configure,
                request: .disconnectAccounts)
        case .reconnect:
            .phone(
                "Registers all accounts again, as after a change of the network. Present calls move along.",
                scope: .configure, request: .reconnect)
        case .getSnapshot:
            .snapshot("Returns the whole state of the phone.", result: "see below", question: .everything)
        case .getMissedCalls: Self.getMissedCallsReference
        case .getNetworkStatus:
            .snapshot(
                "Returns the network's state and kind; `unknown` if the phone does not watch it.",
                result:
                    "`{\"isCallActive\":false,\"kind\":\"wired\",\"status\":\"connected\"}`; `status`: `connected`, "
                    + "`disconnected`, `reconnecting`, `unknown`; `kind` as in `networkStatusChanged`, or `unknown`; "
                    + "`isCallActive`: whether a call is answered and not over", question: .network)
        case .getConnectionState:
            .snapshot(
                "Returns the state of all lines.",
                result: "`{\"registrations\":[…],\"state\":\"connected\"}`, `connecting` or `disconnected`",
                question: .connection)
        case .getDisplay:
            .snapshot(
                "Returns the display's contents, also laid out for this size.",
                [
                    .optional("columns", .integer(SnapshotQuestion.columns), "default: 20"),
                    .optional("rows", .integer(SnapshotQuestion.rows), "default: 4"),
                ],
                result:
                    "`{\"detail\":\"In call\",\"notes\":[\"Muted\"],\"rows\":[\"Ada                 \",\"In call     "
                    + "   02:05\",…],\"since\":…,\"title\":\"Ada\"}`; `since`: "
                    + "when the call was answered, in the clock of `at`"
            ) { params throws(RPCError) in
                .display(
                    columns: Int(try params.optionalInteger("columns", in: SnapshotQuestion.columns) ?? 20),
                    rows: Int(try params.optionalInteger("rows", in: SnapshotQuestion.rows) ?? 4))
            }
        case .getPendingIncomingCall:
            .snapshot(
                "Returns the ringing call.", result: "`{\"summary\":{…}}`, or `{\"summary\":null}`",
                question: .pendingIncomingCall)
        case .getDeviceID:
            .program(
                "Returns the phone's identifier, which survives restarts and new addresses (RFC 5626 §4.1).",
                result: "`{\"deviceId\":\"urn:uuid:…\"}`; null for a phone without a vault")
        case .getPushToken:
            .program(
                "Returns the name of the registration at the broker of caller info, as the backend gave it.",
                result: "`{\"pushToken\":\"mqtt-dt-3-2\"}`, or `{\"pushToken\":\"none\"}`")
        case .getBootTimeline:
            .program(
                "Returns how long each step of the last start took.",
                result: "`{\"readyMs\":11.2,\"steps\":[{\"budgetMs\":20,\"name\":\"vault\",\"tookMs\":3.1},…]}`")
        case .getLog: Self.getLogReference
        case .getPanel: Self.getPanelReference
        case .getSignals: Self.getSignalsReference
        case .getStatistics:
            .program(
                "Returns counters of the program, the lines (ignored and unsent messages), this interface and "
                    + "the control loop's turns, and the sound levels.",
                result: "an object for each of these; `levels`: `microphone` and `playback` "
                    + "in dB below full scale, null for silence")
        case .getMetrics:
            .program(
                "Returns all metrics in Prometheus text format, see [metrics.md](metrics.md).",
                result: "`{\"text\":\"# HELP offhook_build_info …\"}`")
        case .getHistory: Self.getHistoryReference
        case .getContacts:
            .vault(
                "Returns up to 100 contacts, in the order of addition.",
                [.optional("after", .integer(0...Int64.max), "how many the client has; default: 0")],
                result:
                    "`{\"contacts\":[{\"blocked\":false,\"name\":\"Anna\",\"number\":\"200\",\"ring\":null},…],\"more\":false}`",
                scope: .observe
            ) { params throws(RPCError) in .contacts(after: try params.after()) }
        case .addContact:
            .vault(
                "Adds a contact, or changes the one with the same number. Omitted parameters stay unchanged.",
                [
                    .required("number", Self.contactText, ""),
                    .optional("name", Self.contactText, "default: the number"), Self.contactRing,
                    Self.contactBlocked,
                ]
            ) { params throws(RPCError) in .addContacts([try VaultQuestion.entry(params, number: "number")]) }
        case .changeContact:
            .vault(
                "Changes a contact. Omitted parameters stay unchanged.",
                [
                    .required("number", Self.contactText, "the present number"),
                    .optional("newNumber", Self.contactText, "a number of no other contact"),
                    .optional("name", Self.contactText, ""), Self.contactRing, Self.contactBlocked,
                ], errors: [.noSuchContact], reads: VaultQuestion.changeContact)
        case .removeContact:
            .vault(
                "Removes the contact with this number.", [.required("number", Self.contactText, "")],
                errors: [.noSuchContact]
            ) { params throws(RPCError) in
                .removeContact(number: try params.text("number", limit: VaultQuestion.longestText))
            }
        case .importContacts:
            .vault(
                """
                Adds the contacts of vCards. A card with a known number changes that contact; properties that it lacks \
                stay unchanged.
                """,
                [.required("vcard", .text(limit: VaultQuestion.longestImport), "whole cards; split a longer file")],
                reads: VaultQuestion.importContacts)
        case .exportContacts:
            .vault(
                "Returns up to 100 contacts as vCards (RFC 6350).",
                [.optional("after", .integer(0...Int64.max), "how many the client has; default: 0")],
                result: "`{\"count\":100,\"more\":true,\"vcard\":\"BEGIN:VCARD…\"}`", scope: .observe
            ) { params throws(RPCError) in .contactsToExport(after: try params.after()) }
        case .getTokens:
            .vault(
                "Returns the tokens for HTTP, without their secrets.",
                result: "`{\"tokens\":[{\"created\":1764000000000,\"label\":\"panel\",\"scope\":\"call\"},…]}`"
            ) { _ in .tokens }
        case .addToken:
            .vault(
                "Creates a token for HTTP. The phone stores only its digest, so it cannot return the token again.",
                [
                    .required("label", Self.contactText, "name of the token"),
                    .required("scope", .words(of: AccessScope.self), ""),
                ], result: "`{\"token\":\"ohk_…\"}`"
            ) { params throws(RPCError) in
                .addToken(label: try params.text("label", limit: VaultQuestion.longestText), try params.choice("scope"))
            }
        case .removeToken:
            .vault(
                "Revokes a token and closes its connections.", [.required("label", Self.contactText, "")],
                result: "as of `getTokens`", errors: [.noSuchToken]
            ) { params throws(RPCError) in
                .removeToken(label: try params.text("label", limit: VaultQuestion.longestText))
            }
        case .getSetup, .tryDevice, .tryAccount, .addAccount, .changeAccount, .removeAccount, .planSetup, .writeSetup,
            .restart, .reload:
            setupReference
        case .subscribe: .program("Subscribes to events, beginning with `clientReady`.", errors: [.notSupported])
        case .cancel:
            .program(
                "Answers that request with `cancelled`. Its action continues; `hangup` ends a call.",
                [.required("id", .identifier, "`id` of an unanswered request of this connection")],
                errors: [.noSuchRequest])
        case .ping:
            .program("Returns the version of the running phone.", result: "`{\"version\":\"\(ProgramVersion.text)\"}`")
        case .discover:
            .program("Returns the description of this interface.", result: "an OpenRPC document")
        case .liftHook, .replaceHook:
            .program("Moves the handset; simulated panel only.", scope: .call, errors: [.panelIsReal, .panelRefused])
        case .pressKey:
            .program(
                "Presses a key; simulated panel only.",
                [
                    .required("key", .text(limit: 32), "a key's name, as in board files"),
                    .optional("holdMs", .integer(ProgramMethods.keyPress), "default: 120"),
                ], scope: .call, errors: [.panelIsReal, .panelRefused])
        case .setLine:
            .program(
                "Sets a line; simulated panel only.",
                [.required("name", .text(limit: 128), "an input line"), .required("level", .integer(0...1), "")],
                scope: .call, errors: [.panelIsReal, .panelRefused])
        }
    }

    private static let shownParty = MethodParameter.Kind.text(limit: Request.longestParty)

    private static let dialReference: MethodReference = .phone(
        """
        Calls the target and holds the present call. An idle phone uses headset, Bluetooth or the default route; it \
        rejects this while an incoming call rings.
        """,
        [
            .required("target", target, "digits or a SIP address"), .account,
            .optional(
                "callerName", shownParty,
                "name shown to the far end, if the server allows it"),
            .optional("callerNumber", shownParty, "number shown to the far end, if the server allows it"),
            .optional("headers", .headers, "additional headers of this call, for the server and the far end"),
            .optional("key", .text(limit: RepeatedRequests.longestKey), "makes a repeated request safe, see below"),
        ], result: callResult, reads: Request.dial)

    private static let callResult = "`{\"callId\":\"out-3\"}`, when the call is on its way"

    private static let transferReference: MethodReference = .phone(
        """
        Transfers the far end. Answers when the far end accepts; the outcome follows as `callEnded` with \
        `transferred`, or `transferFailed`.
        """,
        [
            .optional("to", target, "blind transfer: digits or a SIP address"),
            .optional("toCall", .call, "attended transfer: another call of the same account"),
            .call,
        ], reads: Request.transfer)

    private static let conferenceReference: MethodReference = .phone(
        """
        Joins the held call, the other call and this phone, until a call ends or is held. Mute applies to both \
        calls.
        """, request: .conference)

    private static let signInReference: MethodReference = .phone(
        """
        Begins a sign-in at the backend, or returns the code of the one that waits. `signedIn` or `signInFailed` \
        follows. `wrongState` if the phone is signed in.
        """,
        result: """
            `{"address":"https://id.example/device","code":"WDJB-MJHT","completeAddress":"https://…","seconds":600,\
            "until":…}`; a person enters `code` at `address`; optional `qr` as in the event `signInCode`
            """, scope: .configure, request: .signIn)

    private static let getOrganizationsReference: MethodReference = .phone(
        "Asks the backend for the organizations of the user who has signed in.",
        result: """
            `{"organizations":[{"channelNumber":"+442079460017","id":"17","isCurrent":true,"isDefault":true,\
            "name":"Analytical Engines","slug":"analytical-engines"},…]}`
            """, scope: .configure, request: .organisations)

    private static let getMissedCallsReference: MethodReference = .snapshot(
        "Returns the newest 20 missed calls that nobody has seen, or the 20 before a call. Oldest first.",
        [.optional("before", .call, "only older ones than this")],
        result: "`{\"missed\":[…],\"more\":true}`; `more`: whether there are older ones"
    ) { params throws(RPCError) in .missedCalls(before: params.has("before") ? try params.call("before") : nil) }

    private static let contactText = MethodParameter.Kind.text(limit: 256)
    private static let contactRing = MethodParameter.optional(
        "ring", contactText, "a name from `calls.rings`; empty: the default")
    private static let contactBlocked = MethodParameter.optional(
        "blocked", .flag, "whether to reject the contact's calls")

    private static let getHistoryReference: MethodReference = .vault(
        "Returns 50 of the last 1,000 calls, newest first, including former runs.",
        [
            .optional("before", .integer(0...Int64.max), "only older calls than this `id`"),
            .optional("direction", .words(of: CallSummary.Direction.self), ""),
            .optional("missed", .flag, "only missed calls, or only others"), .account,
            .optional("text", .text(limit: 256), "part of the number or the name"),
        ], result: "see below", scope: .observe, reads: VaultQuestion.history)

    private static let getPanelReference: MethodReference = .program(
        """
        Returns the panel's keys and lamps (names of board files), the meanings of its line, speed-dial and \
        voicemail keys, and whether it is simulated. The meaning of an organization key is the organization's `id`.
        """,
        result:
            "`{\"bell\":true,\"hook\":true,\"keys\":[\"1\",…],\"lamps\":[\"line\",…],\"meanings\":{\"speed-1\":\"200\"},\"name\":\"Simulator\",\"organizationKeys\":[\"speed-3\"],\"simulated\":true}`"
    )

    /// The log quotes callers and addresses, so an observer may not read it.
    private static let getLogReference: MethodReference = .program(
        "Returns the last lines of the phone's log since its start, at most 400. `time` is in milliseconds since "
            + "1970; `lost` counts the lines after `after` that the phone has forgotten.",
        [.optional("after", .integer(0...Int64.max), "how many lines the client has; default: 0")],
        result: "`{\"last\":12,\"lines\":[{\"level\":\"info\",\"text\":\"office: registered\",\"time\":1790000000000}],"
            + "\"lost\":0}`", scope: .configure)

    private static let getSignalsReference: MethodReference = .program(
        "Returns the SIP messages after that number.",
        [
            .optional("after", .integer(0...Int64.max), "number of the last known message"),
            .optional("wait", .flag, "whether to wait for a message"),
        ], result: "see below", errors: [.cancelled])
}
