/// The language of the words on the display. Names and numbers are shown as they are.
public enum DisplayLanguage: String, CaseIterable, Codable, Sendable {
    case english = "en"
    case german = "de"
}

/// The words of a display, where possible short enough for sixteen characters.
struct DisplayWords: Sendable {
    let ready, noNetwork, notRegistered, stopping: String
    let incoming, calling, ringing, connecting, inCall, onHold, heldThere, reconnecting, ended: String
    let withheld, unknown, dial: String
    let busy, failed, replaceHandset: String
    let conference, muted, recording, interrupted, page, paging, forged, unsent, keyChanged: String
    let clear, encrypted, verified: String
    let waiting, held, transferTo, divertedBy, calledNumber: String
    let signingIn, signInAgain, expiring, expired: String
    let doNotDisturb, missedCall, missedCalls, message, messages, panelFailed, noSound, soundFault, codesLocked: String
}

extension DisplayWords {
    init(_ language: DisplayLanguage) {
        switch language {
        case .english: self = .english
        case .german: self = .german
        }
    }

    private static let english = DisplayWords(
        ready: "Ready", noNetwork: "No network", notRegistered: "Not registered", stopping: "Stopping",
        incoming: "Incoming call", calling: "Calling", ringing: "Ringing", connecting: "Connecting",
        inCall: "In call", onHold: "On hold", heldThere: "Held by them", reconnecting: "Reconnecting",
        ended: "Call ended", withheld: "Number withheld", unknown: "Unknown number", dial: "Dial a number",
        busy: "Busy", failed: "Call failed", replaceHandset: "Hang up please",
        conference: "Conference", muted: "Muted", recording: "Recording", interrupted: "Sound in use", page: "Page:",
        paging: "You are paging",
        forged: "Caller not proven", unsent: "Not heard there", keyChanged: "Other key!",
        clear: "Not encrypted", encrypted: "Encrypted", verified: "Words compared",
        waiting: "Waiting:", held: "Held:", transferTo: "Transfer to", divertedBy: "Via", calledNumber: "To",
        signingIn: "Sign in at", signInAgain: "Sign in again", expiring: "Days of account:", expired: "Account expires",
        doNotDisturb: "Do not disturb", missedCall: "missed call", missedCalls: "missed calls",
        message: "message", messages: "messages", panelFailed: "Keys fail", noSound: "No sound:",
        soundFault: "Speaker or mic!",
        codesLocked: "Codes locked")

    private static let german = DisplayWords(
        ready: "Bereit", noNetwork: "Kein Netz", notRegistered: "Nicht angemeldet", stopping: "Endet",
        incoming: "Anruf", calling: "Wähle", ringing: "Es klingelt", connecting: "Verbinde",
        inCall: "Im Gespräch", onHold: "Gehalten", heldThere: "Dort gehalten", reconnecting: "Verbinde neu",
        ended: "Beendet", withheld: "Ohne Nummer", unknown: "Unbekannt", dial: "Bitte wählen",
        busy: "Besetzt", failed: "Fehlgeschlagen", replaceHandset: "Bitte auflegen",
        conference: "Konferenz", muted: "Stumm", recording: "Aufnahme", interrupted: "Ton belegt", page: "Durchsage:",
        paging: "Sie sprechen",
        forged: "Nummer unbelegt", unsent: "Nicht zu hören", keyChanged: "Neuer Schlüssel!",
        clear: "Unverschlüsselt", encrypted: "Verschlüsselt", verified: "Wörter stimmen",
        waiting: "Wartet:", held: "Gehalten:", transferTo: "Weiter an", divertedBy: "Über", calledNumber: "Für",
        signingIn: "Anmelden unter", signInAgain: "Neu anmelden", expiring: "Kontotage:", expired: "Konto läuft ab",
        doNotDisturb: "Nicht stören", missedCall: "Anruf verpasst", missedCalls: "Anrufe verpasst",
        message: "Nachricht", messages: "Nachrichten", panelFailed: "Tasten gestört", noSound: "Kein Ton:",
        soundFault: "Ton gestört",
        codesLocked: "Codes gesperrt")
}
