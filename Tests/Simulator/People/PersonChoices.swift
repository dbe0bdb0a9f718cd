/// A person's action for a ringing call.
enum Answering: String, Choice {
    case liftsTheHandset, pressesSpeaker, asksToAnswer, asksToDecline, pressesMute, pressesDoNotDisturb, letsItRing

    var weight: Int {
        switch self {
        case .liftsTheHandset: 60
        case .pressesSpeaker: 7
        case .asksToAnswer: 5
        case .asksToDecline: 10
        case .pressesMute: 4
        case .pressesDoNotDisturb: 2
        case .letsItRing: 12
        }
    }
}

/// A person's action during a call for another ringing one.
enum KnockingCall: String, Choice {
    case pressesHold, pressesFlash, flashesTheHook, asksToDecline, hangsUpAndLifts, letsItKnock

    var weight: Int {
        switch self {
        case .pressesHold: 30
        case .pressesFlash: 15
        case .flashesTheHook, .asksToDecline, .hangsUpAndLifts: 10
        case .letsItKnock: 25
        }
    }
}

/// A person's action in a call besides talking.
enum Fiddling: String, Choice {
    case holdsForAWhile, pressesMute, pressesDigits, flashesTheHook, pressesFlash, pressesSpeaker, handsOver,
        pressesConference, pressesRedial, pressesHeadset, pressesALine, asksToToggleHold, asksForStatus, asksForVolume

    var weight: Int {
        switch self {
        case .holdsForAWhile: 18
        case .pressesMute: 8
        case .pressesDigits: 12
        case .flashesTheHook: 6
        case .pressesFlash, .pressesConference: 5
        case .pressesSpeaker: 7
        case .handsOver: 20
        case .pressesRedial, .pressesHeadset, .asksToToggleHold: 3
        case .pressesALine: 2
        case .asksForStatus, .asksForVolume: 4
        }
    }
}

/// How a person with one call transfers it.
enum HandingOver: String, Choice {
    case whenItRings, whenItHasAnswered, byAProgram

    var weight: Int {
        switch self {
        case .whenItRings: 3
        case .whenItHasAnswered: 5
        case .byAProgram: 2
        }
    }
}

/// How a person calls.
enum Calling: String, Choice {
    case byHandset, bySpeaker, byAProgram, byRedial, bySpeedDial, byALine, theVoicemail, changingTheirMind

    var weight: Int {
        switch self {
        case .byHandset: 60
        case .bySpeaker: 10
        case .byAProgram: 12
        case .byRedial: 4
        case .bySpeedDial, .byALine: 3
        case .theVoicemail: 2
        case .changingTheirMind: 6
        }
    }
}

/// The target of a call.
enum Dialled: String, Choice {
    case aPhone, theVoicemail, aRefusal, nonsense

    var weight: Int {
        switch self {
        case .aPhone: 58
        case .theVoicemail: 34
        case .aRefusal: 5
        case .nonsense: 3
        }
    }
}

/// The request of a program with random requests.
enum RogueRequest: String, Choice {
    case dial, answer, hangUp, hold, resume, mute, dtmf, route, toggleSpeaker, transfer, connect, conference,
        silenceRinger, doNotDisturb, switchOrganisation, relay, clearMissedCalls, disconnect, reconnect, status,
        startPage, stopPage, testSound

    var weight: Int { self == .answer ? 2 : 1 }
}

/// An action at the worst moment.
enum Startling: String, Choice {
    case hook, key, hangUp

    var weight: Int { self == .hook ? 2 : 1 }
}
