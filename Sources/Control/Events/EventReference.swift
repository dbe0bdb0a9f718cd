import Base

/// What one event tells, for people and for generators of clients.
public struct EventReference: Sendable {
    /// Its fields beside `name` and `at`.
    public let fields: [String]
    /// Fields that only some of these events have.
    public let more: [String]
    /// What the names do not say, as Markdown; empty where they say all.
    public let tells: String
    /// The fields of one such event, as JSON that may be shortened by an ellipsis.
    public let example: String

    init(_ fields: [String], more: [String] = [], _ tells: String = "", example: String) {
        (self.fields, self.more, self.tells, self.example) = (fields, more, tells, example)
    }
}

extension EventName {
    /// What each event tells.
    public var reference: EventReference {
        switch self {
        case .clientReady:
            EventReference(
                ["version"], "the first event of each subscription: nothing is missed from here on",
                example: #"{"version":"\#(ProgramVersion.text)"}"#)
        case .reset:
            EventReference(
                [], "over HTTP, before `clientReady`: events were lost since the one that was named; ask `getSnapshot`",
                example: "{}")
        case .connected: EventReference([], "an account is registered, and none was before", example: "{}")
        case .disconnected: EventReference([], "no account is registered any more", example: "{}")
        case .incomingCall, .callStarted, .callRinging, .callConnecting, .callAnswered, .callHeld, .callResumed,
            .callReconnecting, .callReconnected, .callDisconnecting, .callDisplayUpdated:
            EventReference(
                ["call", "summary"], "`summary` as in the snapshot",
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
                ["call", "summary"], "`callEnded` follows", example: #"{"call":"in-1.7","summary":{…}}"#)
        case .transferRequested: Self.question
        case .transferAnswered: Self.answer
        case .transferFailed:
            EventReference(
                ["call", "summary", "to", "message"], "the far end was not transferred, and is still connected",
                example:
                    #"{"call":"out-1","message":"Anna could not be transferred to 999","summary":{…},"to":"999"}"#)
        case .codeTried:
            EventReference(
                ["call", "outcome"], more: ["relay", "left", "seconds"],
                "`outcome`: `right` with `relay`, `wrong` with `left`, `locked` with `seconds`",
                example: #"{"call":"in-1.7","left":2,"outcome":"wrong"}"#)
        case .alarmRaised:
            EventReference(
                ["input", "outcome"], more: ["call"],
                "an input that calls somebody became active. `outcome`: `called` with `call`, the first of the calls "
                    + "that it places; `waiting` or `givenUp`",
                example: #"{"call":"out-3","input":"tamper","outcome":"called"}"#)
        case .callDurationUpdated:
            EventReference(["call", "seconds", "text"], example: #"{"call":"out-1","seconds":61,"text":"01:01"}"#)
        case .callQualityUpdated: Self.quality
        case .firstVoice, .dtmfSent, .networkTimeout: EventReference(["call"], example: #"{"call":"out-1"}"#)
        case .dtmfReceived: EventReference(["call", "digit"], example: ##"{"call":"out-1","digit":"#"}"##)
        case .textReceived:
            EventReference(
                ["account", "from", "displayName", "text"],
                "`displayName` or null; `text`: at most 2,000 bytes, without control characters but `\\n`. Not from callers that are blocked",
                example: #"{"account":1,"displayName":"Anna","from":"200","text":"the door"}"#)
        case .muteStateChanged: EventReference(["muted"], example: #"{"muted":true}"#)
        case .audioRouteChanged:
            EventReference(
                ["route", "former"], "`former`: the route before it",
                example: #"{"former":"handset","route":"headset"}"#)
        case .speakerStateChanged, .ringerChanged, .doNotDisturbChanged, .interruptionChanged:
            EventReference(["on"], example: #"{"on":true}"#)
        case .volumeChanged: EventReference(["kind", "level"], example: #"{"kind":"ring","level":3}"#)
        case .toneChanged: EventReference(["tone"], "`tone` or null", example: #"{"tone":"dial"}"#)
        case .panelChanged:
            EventReference(
                [], more: ["hook", "key", "input", "active", "relay", "on"],
                "one of `hook`; `key`; `input` and `active`; `relay` and `on`",
                example: #"{"active":true,"input":"DOOR"}"#)
        case .displayChanged:
            EventReference(
                ["title", "detail", "since", "notes"],
                "what a display shows: see `getDisplay`. Only for programs that may call: it shows what is dialled",
                example: #"{"detail":"Incoming call","notes":["+4930123456"],"since":null,"title":"Ada"}"#)
        case .registrationChanged:
            EventReference(
                ["account", "state"], more: ["message"], example: #"{"account":1,"state":"registered"}"#)
        case .messagesWaiting: EventReference(["account", "count"], example: #"{"account":1,"count":2}"#)
        case .recordingStarted, .playbackStarted:
            EventReference(["call", "file"], example: #"{"call":"out-1","file":"hello.wav"}"#)
        case .recordingEnded:
            EventReference(
                ["call", "reason"], more: ["message"], "`stopped`, `tooLong` or `failed` with `message`",
                example: #"{"call":"out-1","reason":"stopped"}"#)
        case .playbackEnded:
            EventReference(
                ["call", "file", "reason"], more: ["message"], "`finished`, `stopped` or `failed` with `message`",
                example: #"{"call":"out-1","file":"hello.wav","reason":"finished"}"#)
        case .pageStarted, .pageEnded:
            EventReference(
                ["group", "label"], "a page is heard, and no more; `group` counts from 1",
                example: #"{"group":1,"label":"fire"}"#)
        case .pageNotHeard:
            EventReference(
                ["group", "label", "reason"],
                "`busy`, `doNotDisturb`, `priority` (another page is heard) or `interruption`; it is heard when that is over",
                example: #"{"group":2,"label":"canteen","reason":"busy"}"#)
        case .pageSendingStarted:
            EventReference(
                ["group", "label"], "the person at the phone speaks a page", example: #"{"group":1,"label":"fire"}"#)
        case .pageSendingEnded:
            EventReference(
                ["group", "label", "reason"],
                """
                `stopped`, `tooLong`, `call` (a call has the sound), `priority` (another page is heard), `interruption` \
                or `failed` (`error` says why)
                """, example: #"{"group":1,"label":"fire","reason":"stopped"}"#)
        case .soundTested:
            EventReference(
                ["route", "result", "message", "beforeDb", "duringDb"],
                """
                `result`: `ok`, `silent` (the microphone does not hear the loudspeaker), `tooLoud` (around the phone, to \
                tell) or `missing`; the levels at the test's pitches in dB below full scale, or null
                """,
                example:
                    #"{"beforeDb":-82,"duringDb":-41,"message":"the speaker's …","result":"ok","route":"speaker"}"#)
        case .networkStatusChanged:
            EventReference(
                ["status", "kind"], "`kind`: `wired`, `wifi`, `cellular`, `other`, `none`",
                example: #"{"kind":"wired","status":"connected"}"#)
        case .networkTransition: EventReference(["from", "to"], example: #"{"from":"wifi","to":"wired"}"#)
        case .organizationSwitching: EventReference(["organization"], example: #"{"organization":"o-7"}"#)
        case .organizationSwitched:
            EventReference(
                ["organization", "organizationName"],
                example: #"{"organization":"o-7","organizationName":"Acme"}"#)
        case .organizationSwitchFailed:
            EventReference(["reason"], more: ["status"], example: #"{"reason":"api","status":403}"#)
        case .line:
            EventReference(
                ["line", "level"], "an output of a simulated panel", example: #"{"level":true,"line":"lamp.mute"}"#)
        case .error: EventReference(["message"], example: #"{"message":"the sound card is gone"}"#)
        }
    }

    private static let end = EventReference(
        ["call", "summary", "reason", "message"], more: ["status", "cause"], "why, see below",
        example:
            #"{"call":"out-1","message":"it was rejected with SIP status 404","reason":"rejected","status":404,"summary":{…}}"#
    )

    private static let refusal = EventReference(
        ["account", "number", "displayName", "from", "reason", "message"],
        """
        a call was turned away before the phone announced it; `displayName` or null, `from`: an address, or null where \
        the call was announced by a backend and is over here. Of very many only the first are told. Whoever could have \
        called but for media, encryption or room is a missed call, too
        """,
        example:
            #"{"account":1,"displayName":null,"from":"192.0.2.9","message":"the caller offers no encryption; …","number":"200","reason":"noProtection"}"#
    )

    private static let question = EventReference(
        ["call", "summary", "to", "cause"],
        """
        a far end wants the phone to call somebody else; it waits 20 s for `acceptTransfer` or `declineTransfer`. \
        `cause`: `transfer` or `redirection`
        """, example: #"{"call":"in-1.7","cause":"transfer","summary":{…},"to":"200"}"#)

    private static let answer = EventReference(
        ["call", "to", "cause", "answer"],
        """
        `answer`: `accepted`, `declined`, `expired`, `listed` (nobody was asked: the number is on the list), `refused` \
        (nobody was asked: it is not done)
        """, example: #"{"answer":"expired","call":"in-1.7","cause":"transfer","to":"200"}"#)

    private static let quality = EventReference(
        ["call", "quality"], "what was not measured is null",
        example:
            #"{"call":"out-1","quality":{"rating":"good","mos":4.4,"jitterMs":2.1,"roundTripMs":18,"lossPercent":0,"concealedPercent":0,"bufferMs":40,"farMos":4.3}}"#
    )
}
