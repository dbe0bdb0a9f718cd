import Base

/// The events of the interface. `EventName.reference` describes each.
public enum EventName: String, CaseIterable, Sendable {
    case clientReady, connected, disconnected
    /// Events of a stream were lost, because the client resumed it too late.
    case reset
    case incomingCall, callStarted, callRinging, callConnecting, callAnswered, callHeld, callResumed
    case callReconnecting, callReconnected, callDisconnecting, callDisplayUpdated
    case callEnded, callFailed, missedCall, missedCallsSeen, callRefused, answeredElsewhere
    case transferRequested, transferAnswered, transferFailed, codeTried, alarmRaised
    case callDurationUpdated, callQualityUpdated, firstVoice, dtmfSent, dtmfReceived, textReceived
    case muteStateChanged, audioRouteChanged, speakerStateChanged, ringerChanged, doNotDisturbChanged
    case interruptionChanged, volumeChanged, toneChanged, panelChanged, displayChanged
    case registrationChanged, accountsChanged, messagesWaiting
    case recordingStarted, recordingEnded, playbackStarted, playbackEnded
    case pageStarted, pageEnded, pageNotHeard
    case pageSendingStarted, pageSendingEnded, soundTested
    case networkStatusChanged, networkTransition, networkTimeout
    case organizationSwitching, organizationSwitched, organizationSwitchFailed
    case signInCode, signInFailed, signedIn, signedOut, signInNeeded, credentialsRenewed, credentialsExpiring
    /// An output of a simulated panel.
    case line
    case error
}

/// The description of one event, for people and for generators of clients.
public struct EventReference: Sendable {
    /// Its fields besides `name` and `at`.
    public let fields: [String]
    /// Fields that only some events of this name have.
    public let more: [String]
    /// The meaning, as Markdown; empty if the names are enough.
    public let tells: String
    /// The fields of one such event, as JSON that may be shortened by an ellipsis.
    public let example: String

    init(_ fields: [String], more: [String] = [], _ tells: String = "", example: String) {
        (self.fields, self.more, self.tells, self.example) = (fields, more, tells, example)
    }
}

extension EventName {
    /// The description of each event.
    public var reference: EventReference {
        switch self {
        case .clientReady:
            EventReference(
                ["version"], "The first event of each subscription. No event after it is missing.",
                example: #"{"version":"\#(ProgramVersion.text)"}"#)
        case .reset:
            EventReference(
                [], "Over HTTP, before `clientReady`: events were lost. Call `getSnapshot`.",
                example: "{}")
        case .connected: EventReference([], "The first account is registered.", example: "{}")
        case .disconnected: EventReference([], "The last account is no longer registered.", example: "{}")
        case .incomingCall, .callStarted, .callRinging, .callConnecting, .callAnswered, .callHeld, .callResumed,
            .callReconnecting, .callReconnected, .callDisconnecting, .callDisplayUpdated:
            EventReference(
                ["call", "summary"], "`summary`: as in the snapshot.",
                example: #"{"call":"out-1","summary":{"phase":"active",…}}"#)
        case .callEnded, .callFailed: Self.end
        case .missedCall:
            EventReference(
                ["call", "summary", "reason"],
                example: #"{"call":"in-1.7","reason":"remoteHungUp","summary":{…}}"#)
        case .missedCallsSeen: EventReference([], example: "{}")
        case .callRefused: Self.refusal
        case .answeredElsewhere:
            EventReference(
                ["call", "summary"], "Another phone answered; `callEnded` follows.",
                example: #"{"call":"in-1.7","summary":{…}}"#)
        case .transferRequested: Self.question
        case .transferAnswered: Self.answer
        case .transferFailed:
            EventReference(
                ["call", "summary", "to", "message"], "The transfer failed; the far end is still connected.",
                example:
                    #"{"call":"out-1","message":"transfer of Anna to 999 failed","summary":{…},"to":"999"}"#)
        case .codeTried:
            EventReference(
                ["call", "outcome"], more: ["relay", "left", "seconds"],
                "A far end dialled a relay's code. `outcome`: `right` with `relay`, "
                    + "`wrong` with `left`, `locked` with `seconds`.",
                example: #"{"call":"in-1.7","left":2,"outcome":"wrong"}"#)
        case .alarmRaised:
            EventReference(
                ["input", "outcome"], more: ["call"],
                "An input with an alarm became active. `outcome`: `called` with `call`, the first of its calls; "
                    + "`waiting` or `givenUp`.",
                example: #"{"call":"out-3","input":"tamper","outcome":"called"}"#)
        case .callDurationUpdated:
            EventReference(["call", "seconds", "text"], example: #"{"call":"out-1","seconds":61,"text":"01:01"}"#)
        case .callQualityUpdated: Self.quality
        case .firstVoice, .dtmfSent, .networkTimeout: EventReference(["call"], example: #"{"call":"out-1"}"#)
        case .dtmfReceived: EventReference(["call", "digit"], example: ##"{"call":"out-1","digit":"#"}"##)
        case .textReceived:
            EventReference(
                ["account", "from", "displayName", "text"],
                "`displayName` or null. `text`: at most 2,000 bytes; the only control "
                    + "character is `\\n`. Blocked callers are ignored.",
                example: #"{"account":1,"displayName":"Anna","from":"200","text":"the door"}"#)
        case .muteStateChanged: EventReference(["muted"], example: #"{"muted":true}"#)
        case .audioRouteChanged:
            EventReference(
                ["route", "former"], "`former`: the previous route.",
                example: #"{"former":"handset","route":"headset"}"#)
        case .speakerStateChanged, .ringerChanged, .doNotDisturbChanged, .interruptionChanged:
            EventReference(["on"], example: #"{"on":true}"#)
        case .volumeChanged: EventReference(["kind", "level"], example: #"{"kind":"ring","level":3}"#)
        case .toneChanged: EventReference(["tone"], "`tone` or null.", example: #"{"tone":"dial"}"#)
        case .panelChanged:
            EventReference(
                [], more: ["hook", "key", "input", "active", "relay", "on"],
                "Either `hook`; `key`; `input` and `active`; or `relay` and `on`.",
                example: #"{"active":true,"input":"DOOR"}"#)
        case .displayChanged:
            EventReference(
                ["title", "detail", "since", "notes"],
                "The display's contents, see `getDisplay`. Needs the scope `call`, because it shows dialled digits.",
                example: #"{"detail":"Incoming call","notes":["+4930123456"],"since":null,"title":"Ada"}"#)
        case .registrationChanged:
            EventReference(
                ["account", "state"], more: ["message"], example: #"{"account":1,"state":"registered"}"#)
        case .accountsChanged:
            EventReference(
                ["accounts"],
                "An account was added, changed or removed. `accounts`: the labels of all, in the order of the vault.",
                example: #"{"accounts":["desk","home"]}"#)
        case .messagesWaiting: EventReference(["account", "count"], example: #"{"account":1,"count":2}"#)
        case .recordingStarted, .playbackStarted:
            EventReference(["call", "file"], example: #"{"call":"out-1","file":"hello.wav"}"#)
        case .recordingEnded:
            EventReference(
                ["call", "reason"], more: ["message"], "`reason`: `stopped`, `tooLong` or `failed` with `message`.",
                example: #"{"call":"out-1","reason":"stopped"}"#)
        case .playbackEnded:
            EventReference(
                ["call", "file", "reason"], more: ["message"],
                "`reason`: `finished`, `stopped` or `failed` with `message`.",
                example: #"{"call":"out-1","file":"hello.wav","reason":"finished"}"#)
        case .pageStarted, .pageEnded:
            EventReference(
                ["group", "label"], "The phone starts or stops playing a page. `group` counts from 1.",
                example: #"{"group":1,"label":"fire"}"#)
        case .pageNotHeard:
            EventReference(
                ["group", "label", "reason"],
                "A page waits. `reason`: `busy`, `doNotDisturb`, `priority` (another "
                    + "page plays) or `interruption`. It plays when the reason ends.",
                example: #"{"group":2,"label":"canteen","reason":"busy"}"#)
        case .pageSendingStarted:
            EventReference(
                ["group", "label"], "The phone starts to send a page.", example: #"{"group":1,"label":"fire"}"#)
        case .pageSendingEnded:
            EventReference(
                ["group", "label", "reason"],
                """
                `reason`: `stopped`, `tooLong`, `call` (a call took the sound), `priority` (another page plays), \
                `interruption` or `failed` (see `error`).
                """, example: #"{"group":1,"label":"fire","reason":"stopped"}"#)
        case .soundTested:
            EventReference(
                ["route", "result", "message", "beforeDb", "duringDb"],
                """
                `result`: `ok`, `silent` (the microphone does not hear the loudspeaker), `tooLoud` (loud surroundings) \
                or `missing`. Levels in dB below full scale, or null.
                """,
                example:
                    #"{"beforeDb":-82,"duringDb":-41,"message":"the speaker's …","result":"ok","route":"speaker"}"#)
        case .networkStatusChanged:
            EventReference(
                ["status", "kind"], "`kind`: `wired`, `wifi`, `cellular`, `other`, `none`.",
                example: #"{"kind":"wired","status":"connected"}"#)
        case .networkTransition: EventReference(["from", "to"], example: #"{"from":"wifi","to":"wired"}"#)
        case .organizationSwitching: EventReference(["organization"], example: #"{"organization":"o-7"}"#)
        case .organizationSwitched:
            EventReference(
                ["organization", "organizationName"],
                example: #"{"organization":"o-7","organizationName":"Acme"}"#)
        case .organizationSwitchFailed:
            EventReference(
                ["reason", "message"], more: ["status", "text"],
                "`reason` as for the error `organizationSwitchFailed`; `text`: the backend's words, or null.",
                example:
                    #"{"message":"the backend …","reason":"api","status":403,"text":"Grace does not belong to 17."}"#
            )
        case .signInCode:
            EventReference(
                ["code", "address", "completeAddress", "until"], more: ["qr"],
                """
                A person has to enter `code` at `address` on another device, or to open `completeAddress`, which may be \
                null. `qr` is below. Needs the scope `call`.
                """,
                example:
                    #"{"address":"https://id.example/device","code":"WDJB-MJHT","completeAddress":null,"until":9000000000}"#
            )
        case .signInFailed:
            EventReference(
                ["reason", "message"], more: ["status", "text"], "`reason` as for the error `signInFailed`.",
                example: #"{"message":"nobody confirmed the code in time","reason":"expired"}"#)
        case .signedIn:
            EventReference(
                ["subject", "userName", "email"], "`subject` is the user's permanent identity; the others may be null.",
                example: #"{"email":"ada@example.org","subject":"sub-1","userName":"Ada Lovelace"}"#)
        case .signedOut: EventReference([], "The phone has forgotten its sign-in.", example: "{}")
        case .signInNeeded:
            EventReference(
                ["reason", "message"],
                "A person has to sign the phone in again. `reason`: `deviceTokenRefused`, `accessTokenRefused` or "
                    + "`recordUnusable`.",
                example: #"{"message":"the backend no longer accepts this phone","reason":"deviceTokenRefused"}"#)
        case .credentialsRenewed:
            EventReference(
                ["organization", "organizationName"], "The account registers with new credentials, after its calls.",
                example: #"{"organization":"o-7","organizationName":"Acme"}"#)
        case .credentialsExpiring:
            EventReference(
                ["days"], "The credentials become invalid in so many days, and could not be renewed so far.",
                example: #"{"days":3}"#)
        case .line:
            EventReference(
                ["line", "level"], "An output of a simulated panel changed.",
                example: #"{"level":true,"line":"lamp.mute"}"#)
        case .error:
            EventReference(
                ["code", "message"], "`code`: see below.",
                example: #"{"code":"soundDevice","message":"the sound card is gone"}"#)
        }
    }

    private static let end = EventReference(
        ["call", "summary", "seconds", "reason", "message", "server"], more: ["status", "cause"],
        """
        `seconds` since the answer, 0 without one. `server`: `cause`, `code` and `text` that the server gave, each or all \
        null. For `reason`, see below.
        """,
        example:
            #"{"call":"out-1","message":"it was rejected with SIP status 404","reason":"rejected","seconds":0,"server":{"cause":"SIP","code":404,"text":"Not Found"},"status":404,"summary":{…}}"#
    )

    private static let refusal = EventReference(
        ["account", "number", "displayName", "from", "reason", "message"],
        """
        A call was rejected before announcing. `displayName`, `from` may be null. Floods are shortened. Also a missed \
        call if only media, encryption or room was missing.
        """,
        example:
            #"{"account":1,"displayName":null,"from":"192.0.2.9","message":"the caller offers no encryption; …","number":"200","reason":"noProtection"}"#
    )

    private static let question = EventReference(
        ["call", "summary", "to", "cause"],
        """
        A far end requests a transfer; it waits 20 s for `acceptTransfer` or `declineTransfer`. `cause`: `transfer` or \
        `redirection`.
        """, example: #"{"call":"in-1.7","cause":"transfer","summary":{…},"to":"200"}"#)

    private static let answer = EventReference(
        ["call", "to", "cause", "answer"],
        """
        `answer`: `accepted`, `declined`, `expired`, `listed` (accepted without asking: the number is on the list), \
        `refused` (rejected without asking).
        """, example: #"{"answer":"expired","call":"in-1.7","cause":"transfer","to":"200"}"#)

    private static let quality = EventReference(
        ["call", "quality"], "Unmeasured values are null.",
        example:
            #"{"call":"out-1","quality":{"rating":"good","mos":4.4,"jitterMs":2.1,"roundTripMs":18,"lossPercent":0,"concealedPercent":0,"bufferMs":40,"farMos":4.3}}"#
    )
}
