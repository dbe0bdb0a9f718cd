// What does not work, and what to do about it: English, German. The phone's own sentences are English, so the page in
// another language has a sentence for each of the phone's words for programs.

export const FAULT_TEXTS = {
  close: ["Close", "Schließen"],
  "fault.accountInUse": ["The account is in use.", "Das Konto wird noch gebraucht."],
  "fault.alreadyUnderWay": ["This is already under way.", "Das läuft bereits."],
  "fault.backendFailed": ["The backend did not answer as it should.", "Das Backend hat nicht richtig geantwortet."],
  "fault.busy": ["Another trial or change is under way.", "Ein anderer Versuch oder eine Änderung läuft noch."],
  "fault.callEnded": ["The call ended first.", "Der Anruf war vorher zu Ende."],
  "fault.cancelled": ["Cancelled.", "Abgebrochen."],
  "fault.deviceFailed": ["The sound device does not work.", "Das Tongerät arbeitet nicht."],
  "fault.fileFailed": ["The file cannot be used.", "Die Datei ist nicht brauchbar."],
  "fault.http": [
    "The phone rejected the request. Reload the page.", "Das Telefon hat die Anfrage abgelehnt. Seite neu laden."],
  "fault.http429": ["Too many requests at once. Try again.", "Zu viele Anfragen auf einmal. Noch einmal versuchen."],
  "fault.inCall": ["Not during a call.", "Nicht während eines Anrufs."],
  "fault.invalidParams": ["This entry is not valid.", "Diese Eingabe ist ungültig."],
  "fault.invalidTarget": ["This cannot be dialled.", "Das ist nicht wählbar."],
  "fault.lineNotReady": ["The account is not registered.", "Das Konto ist nicht angemeldet."],
  "fault.noDevice": ["There is no such sound device.", "Dieses Tongerät gibt es nicht."],
  "fault.noRoom": ["There is no room for another call.", "Für einen weiteren Anruf ist kein Platz."],
  "fault.noSuchCall": ["There is no such call any more.", "Diesen Anruf gibt es nicht mehr."],
  "fault.noSuchContact": ["This contact is gone already.", "Diesen Kontakt gibt es nicht mehr."],
  "fault.notKept": ["The phone could not store it.", "Das Telefon konnte es nicht speichern."],
  "fault.notReloaded": ["The configuration has errors.", "Die Konfiguration hat Fehler."],
  "fault.notSignedIn": ["Sign in first.", "Zuerst anmelden."],
  "fault.notSupported": [
    "This phone or its server does not support it.", "Dieses Telefon oder sein Server kann das nicht."],
  "fault.organizationSwitchFailed": [
    "The organization did not change.", "Die Organisation wurde nicht gewechselt."],
  "fault.other": ["That did not work.", "Das hat nicht geklappt."],
  "fault.panelIsReal": [
    "The page cannot press the keys of a real panel.", "Echte Tasten kann die Seite nicht drücken."],
  "fault.panelRefused": ["The panel has no such key.", "Diese Taste gibt es nicht."],
  "fault.refusedThere": ["The far end rejected it.", "Die Gegenseite hat abgelehnt."],
  "fault.scopeTooSmall": [
    "This token may not do that: it needs the scope {0}.", "Dieses Token darf das nicht: Es braucht den Bereich {0}."],
  "fault.shuttingDown": ["The phone is shutting down.", "Das Telefon wird beendet."],
  "fault.soundInUse": [
    "The sound is in use. Hold or end the call first.", "Der Ton ist belegt. Zuerst den Anruf halten oder beenden."],
  "fault.timedOut": ["It did not finish in time.", "Es wurde nicht rechtzeitig fertig."],
  "fault.wouldNotStart": [
    "The phone would not start with its present files.", "Mit diesen Dateien würde das Telefon nicht starten."],
  "fault.wrongState": ["Not possible at the moment.", "Das geht im Augenblick nicht."],
  health: ["Health of the phone", "Zustand des Telefons"],
  "health.clock": ["Clock", "Uhr"],
  "health.clock.bad": [
    "The phone’s clock differs from this computer’s by {0} min. Run “timedatectl” on the phone’s machine.",
    "Die Uhr des Telefons weicht von diesem Rechner um {0} min ab. Dort „timedatectl“ ausführen."],
  "health.clock.good": [
    "The phone’s clock agrees with this computer’s.", "Die Uhr des Telefons stimmt mit diesem Rechner überein."],
  "health.keys": ["Keys", "Tasten"],
  "health.keys.bad": [
    "The phone cannot use its panel. Run “offhook doctor”, or choose the board file in Setup.",
    "Das Telefon kann seine Tasten nicht lesen. „offhook doctor“ ausführen oder in Einrichten das Board wählen."],
  "health.keys.good": ["Handset and keys work.", "Hörer und Tasten arbeiten."],
  "health.keys.none": [
    "The panel is simulated: this phone has no real keys. Setup chooses a board file.",
    "Das Bedienfeld ist simuliert: Dieses Telefon hat keine echten Tasten. Einrichten wählt ein Board."],
  "health.lines": ["Lines", "Leitungen"],
  "health.lines.away": [
    "Somebody has unregistered the accounts. “Connect” in Lines registers them again.",
    "Die Konten sind abgemeldet. „Verbinden“ unter Leitungen meldet sie wieder an."],
  "health.lines.bad": ["{0} of {1} lines registered. {2}", "{0} von {1} Leitungen angemeldet. {2}"],
  "health.lines.good": ["All lines are registered: {1}.", "Alle Leitungen sind angemeldet: {1}."],
  "health.lines.none": [
    "The phone has no account. Setup adds one.", "Das Telefon hat kein Konto. Einrichten legt eines an."],
  "health.lines.offline": [
    "The phone has no network. Check its cable or Wi-Fi.",
    "Das Telefon hat kein Netz. Kabel oder WLAN prüfen."],
  "health.lines.waits": [
    "{0} of {1} lines registered; the phone is registering.",
    "{0} von {1} Leitungen angemeldet; das Telefon meldet sich an."],
  "health.sound": ["Sound", "Ton"],
  "health.sound.bad": [
    "No sound: {0}. Check its cable, or choose another device in Setup.",
    "Kein Ton: {0}. Kabel prüfen oder in Einrichten ein anderes Gerät wählen."],
  "health.sound.good": ["All sound devices are there.", "Alle Tongeräte sind da."],
  "health.sound.tested": [
    "The last test heard a fault of loudspeaker or microphone. Setup tries them.",
    "Der letzte Test fand einen Fehler an Lautsprecher oder Mikrofon. Einrichten probiert sie aus."],
  "health.sound.used": ["Another program uses the sound.", "Ein anderes Programm benutzt den Ton."],
  "health.state.bad": ["fault", "Fehler"],
  "health.state.good": ["works", "in Ordnung"],
  "health.state.none": ["note", "Hinweis"],
  "health.state.warn": ["warning", "Warnung"],
  "health.storage": ["Storage", "Speicher"],
  "health.storage.bad": [
    "The disk rejects what the phone stores. Run “df -h” and “offhook doctor” on the phone’s machine.",
    "Der Datenträger nimmt nichts an. „df -h“ und „offhook doctor“ auf dem Rechner des Telefons ausführen."],
  "health.storage.eventLog": [
    "The phone cannot write its event log. Run “offhook doctor”.",
    "Das Telefon kann sein Protokoll nicht schreiben. „offhook doctor“ ausführen."],
  "health.storage.good": [
    "The phone stores contacts, history and settings.", "Kontakte, Verlauf und Einstellungen werden gespeichert."],
  "health.open": ["Open {0}", "{0} öffnen"],
  moreKeys: ["More keys", "Mehr Tasten"],
  noConference: ["A conference needs two calls", "Eine Konferenz braucht zwei Gespräche"],
  noMute: ["No call whose microphone could be muted", "Kein Gespräch, das stumm geschaltet werden könnte"],
  "registration.other": ["The reason is in “offhook status”", "Der Grund steht in „offhook status“"],
  removed: ["{0} removed.", "{0} entfernt."],
  "signIn.api": ["The backend rejected it.", "Das Backend hat abgelehnt."],
  "signIn.cancelled": ["cancelled", "abgebrochen"],
  "signIn.clockNotSet": [
    "The phone does not know the time yet.", "Das Telefon kennt die Uhrzeit noch nicht."],
  "signIn.credentialStore": ["The phone could not store it.", "Das Telefon konnte es nicht speichern."],
  "signIn.denied": ["denied", "verweigert"],
  "signIn.expired": ["The code has expired.", "Der Code ist abgelaufen."],
  "signIn.network": ["The backend is not reachable.", "Das Backend ist nicht erreichbar."],
  "signIn.other": ["The backend did not answer as it should.", "Das Backend hat nicht richtig geantwortet."],
  "signIn.timeout": ["The backend does not answer.", "Das Backend antwortet nicht."],
  skip: ["Skip to the telephone", "Zum Telefon springen"],
  "trouble.backend": ["The backend did not answer as it should.", "Das Backend hat nicht richtig geantwortet."],
  "trouble.callerInfoRefused": [
    "The broker of caller info rejects this phone.", "Der Broker der Anruferdaten lehnt dieses Telefon ab."],
  "trouble.codesRevoked": ["A caller’s codes are locked.", "Die Codes eines Anrufers sind gesperrt."],
  "trouble.digitsRefused": [
    "The far end did not accept the digits.", "Die Gegenseite hat die Ziffern nicht angenommen."],
  "trouble.keyChanged": [
    "The far end has another key than the one whose words were compared.",
    "Die Gegenseite hat einen anderen Schlüssel als den, dessen Wörter verglichen wurden."],
  "trouble.media": ["The voice of a call does not work.", "Die Sprache eines Anrufs ist gestört."],
  "trouble.notAnnounced": ["A call could not be announced in time.", "Ein Anruf wurde nicht rechtzeitig angesagt."],
  "trouble.other": [
    "Something did not work; the phone’s log says what.",
    "Etwas hat nicht geklappt; das Protokoll des Telefons sagt, was."],
  "trouble.page": ["The page could not be sent or heard.", "Die Durchsage ließ sich nicht senden oder hören."],
  "trouble.panel": ["Handset and keys do not work.", "Hörer und Tasten arbeiten nicht."],
  "trouble.recording": ["The recording does not work.", "Die Aufnahme ist gestört."],
  "trouble.ringer": ["The ringer’s sound device does not work.", "Das Tongerät der Klingel arbeitet nicht."],
  "trouble.soundDevice": ["A sound device does not work.", "Ein Tongerät arbeitet nicht."],
  "trouble.switchRefused": ["The organization did not change.", "Die Organisation wurde nicht gewechselt."],
  "trouble.transferRefused": ["The call cannot be transferred.", "Der Anruf lässt sich nicht vermitteln."],
  "trouble.vault": ["The phone could not store something.", "Das Telefon konnte etwas nicht speichern."],
  "trouble.voiceNotSent": ["The far end cannot hear you.", "Die Gegenseite hört Sie nicht."],
  "trouble.wordsDiffer": ["The words differ from those of the far end.", "Die Wörter sind nicht die der Gegenseite."],
  undo: ["Undo", "Rückgängig"],
};

/// Why a line is not registered: the phone's sentence, and the German one. A part in parentheses is kept.
export const REGISTRATION_FAULTS = [
  [/^the server says (.*)$/, "Der Server antwortet {0}"],
  [/^the server's address was not found/, "Die Adresse des Servers wurde nicht gefunden"],
  [/^cannot connect to the server/, "Keine Verbindung zum Server"],
  [/^this machine cannot reach the server/, "Dieser Rechner erreicht den Server nicht"],
  [/^the server cannot be reached/, "Der Server ist nicht erreichbar"],
  [/^the connection to the server was lost/, "Die Verbindung zum Server ist abgerissen"],
  [/^the server does not (?:answer|finish)/, "Der Server antwortet nicht"],
  [/^the server's certificate is for another name/, "Das Zertifikat des Servers gilt für einen anderen Namen"],
  [/^the server speaks only TLS older than 1\.2/, "Der Server spricht nur veraltetes TLS"],
  [/^the server is not trusted/, "Dem Server wird nicht vertraut"],
  [/^the server refuses the credentials/, "Der Server lehnt Benutzer oder Passwort ab"],
  [/^the server rejects the token/, "Der Server lehnt das Token ab"],
  [/^the server accepts no token/, "Der Server nimmt kein Token"],
  [/^the password is not sent over ws/, "Über ws wird kein Passwort gesendet"],
  [/^this phone cannot use TLS/, "Dieses Telefon kann TLS nicht benutzen"],
  [/^(?:the server refuses the WebSocket|the server there is not a WebSocket|the server does not switch)/,
    "Der Server nimmt keinen WebSocket an"],
  [/^(?:cannot open|not permitted to open) /, "Der eigene Port lässt sich nicht öffnen"],
];
