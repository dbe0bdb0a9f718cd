// The texts of setup: English, German.
export const SETUP_TEXTS = {
  "heard.faint": [
    "Very quiet: speak nearer to the microphone, or raise its level.",
    "Sehr leise: näher am Mikrofon sprechen oder seinen Pegel erhöhen."],
  "heard.heard": ["The microphone works.", "Das Mikrofon funktioniert."],
  "heard.silence": [
    "Silence: unmute the microphone, or choose another one.",
    "Stille: das Mikrofon einschalten oder ein anderes wählen."],
  "heard.tooLoud": [
    "Too loud, so the sound clips: lower the microphone’s level.",
    "Zu laut, der Ton verzerrt: den Pegel des Mikrofons senken."],
  "route.bluetooth": ["Bluetooth", "Bluetooth"],
  "route.handset": ["Handset", "Hörer"],
  "route.headset": ["Headset", "Headset"],
  "route.ringer": ["Ringer", "Klingel"],
  "route.speaker": ["Speaker", "Lautsprecher"],
  "setup.answered": ["Answered. Waiting for voice …", "Angenommen. Wartet auf Sprache …"],
  "setup.asItIs": ["unchanged", "unverändert"],
  "setup.authUser": ["Name for authentication", "Name für die Anmeldung"],
  "setup.authorities": ["PEM file of the server’s authority, on this phone", "PEM-Datei der Zertifizierungsstelle, auf diesem Telefon"],
  "setup.board": ["{0}, described by {1}", "{0}, beschrieben in {1}"],
  "setup.boards": ["Board files that need other chips", "Boarddateien für andere Chips"],
  "setup.boardSimulated": [
    "{0}: no hardware. This page operates its handset and keys. ({1})",
    "{0}: ohne Hardware. Diese Seite bedient Hörer und Tasten. ({1})"],
  "setup.callFailed": ["The call failed: {0}", "Anruf gescheitert: {0}"],
  "setup.callHow": [
    "The server’s echo test sends your voice back. With any other number, the test shows whether the call is answered and voice arrives.",
    "Der Echotest des Servers schickt Ihre Stimme zurück. Jede andere Nummer zeigt, ob jemand abnimmt und Sprache ankommt."],
  "setup.calling": ["Calling …", "Ruft an …"],
  "setup.callItself": ["Call this phone itself", "Dieses Telefon selbst anrufen"],
  "setup.cameBack": [
    "The call came back from the server: others can reach this phone.",
    "Der Anruf kam vom Server zurück: dieses Telefon ist erreichbar."],
  "setup.cancelled": ["The trial was cancelled.", "Der Versuch wurde abgebrochen."],
  "setup.cards": ["Sound cards here: {0}.", "Soundkarten hier: {0}."],
  "setup.chips": ["GPIO chips here: {0}", "GPIO-Chips hier: {0}"],
  "setup.chosen": ["chosen, not written yet", "gewählt, noch nicht geschrieben"],
  "setup.country": ["Tones of {0}.", "Töne: {0}."],
  "setup.discard": ["Discard", "Verwerfen"],
  "setup.displayName": ["Name shown to the far end", "Name, den die Gegenseite sieht"],
  "setup.domain": ["Domain, if it is not the server", "Domäne, falls nicht der Server"],
  "setup.done": ["done", "fertig"],
  "setup.echo": ["Number of the echo test", "Nummer des Echotests"],
  "setup.encryption": ["voice encrypted {0}", "Sprache {0} verschlüsselt"],
  "setup.fault.busy": [
    "Another trial is running. Wait for its end.",
    "Ein anderer Versuch läuft. Bitte sein Ende abwarten."],
  "setup.fault.inCall": [
    "There is a call, which a restart would end. Hang up first.",
    "Ein Neustart würde das laufende Gespräch beenden. Bitte erst auflegen."],
  "setup.fault.noDevice": ["This route has no sound device.", "Dieser Weg hat kein Tongerät."],
  "setup.fault.noSuchPlan": [
    "This choice is too old. Choose again.",
    "Diese Auswahl ist zu alt. Bitte noch einmal wählen."],
  "setup.fault.noSuchTrial": [
    "The phone has forgotten this trial. Try again.",
    "Das Telefon hat diesen Versuch vergessen. Bitte erneut probieren."],
  "setup.fault.scopeTooSmall": [
    "Setup needs a token with the scope “configure”: offhook ctl token add setup --scope configure",
    "Zum Einrichten ist ein Token mit dem Recht „configure“ nötig: offhook ctl token add setup --scope configure"],
  "setup.fault.soundInUse": [
    "The phone is using its sound devices. Put the handset down and try again.",
    "Das Telefon benutzt seine Tongeräte gerade. Bitte auflegen und erneut probieren."],
  "setup.filesChange": [
    "These changes would be written. The old files are kept as .bak.",
    "Diese Änderungen würden geschrieben. Die alten Dateien bleiben als .bak erhalten."],
  "setup.fits": ["fits this machine’s chips", "passt zu den Chips dieses Geräts"],
  "setup.handsetRests": [
    "Leave the handset on its cradle. Once lifted, it plays the dial tone.",
    "Den Hörer aufgelegt lassen. Abgehoben spielt er den Wählton."],
  "setup.keep": ["Keep this account", "Dieses Konto behalten"],
  "setup.keepAnyway": ["Keep it anyway", "Trotzdem behalten"],
  "setup.keeps": ["The vault would get:", "In den Tresor käme:"],
  "setup.kept": ["{0} is stored.", "{0} ist gespeichert."],
  "setup.key.file": [
    "The vault is encrypted, but its key is unencrypted beside it. Anyone who copies both can read passwords and recordings. ({0})",
    "Der Tresor ist verschlüsselt, aber sein Schlüssel liegt unverschlüsselt daneben. Wer beide kopiert, kann Passwörter und Aufnahmen lesen. ({0})"],
  "setup.key.passphrase": [
    "A passphrase locks the vault’s key. Somebody must type it after each start of the machine. ({0})",
    "Ein Passwort sperrt den Schlüssel des Tresors. Jemand muss es nach jedem Start des Geräts eingeben. ({0})"],
  "setup.key.sealed": [
    "The vault’s key is sealed to this machine. A copy is useless elsewhere. ({0})",
    "Der Schlüssel des Tresors ist an dieses Gerät gebunden. Eine Kopie ist anderswo nutzlos. ({0})"],
  "setup.label": ["Label, for you", "Bezeichnung, für Sie"],
  "setup.lost": ["device lost", "Gerät fehlt"],
  "setup.more": ["More", "Mehr"],
  "setup.noCards": ["No sound card here.", "Keine Soundkarte hier."],
  "setup.noChips": ["No GPIO chip that this phone may use.", "Kein GPIO-Chip, den dieses Telefon benutzen darf."],
  "setup.noDevice": ["none", "keins"],
  "setup.noSound": ["no sound", "kein Ton"],
  "setup.notCalled": ["The phone could not call.", "Das Telefon konnte nicht anrufen."],
  "setup.nothingChanges": ["This is already so.", "Das ist schon so."],
  "setup.open": ["open", "offen"],
  "setup.otherBoard": ["Another board", "Anderes Board"],
  "setup.others": ["Choose other devices", "Andere Geräte wählen"],
  "setup.panelFails": [
    "The phone cannot use this board’s lines. “{0}” shows why.",
    "Das Telefon kann die Leitungen dieses Boards nicht benutzen. „{0}“ zeigt, warum."],
  "setup.password": ["Password", "Passwort"],
  "setup.pin": ["SHA-256 of the server’s certificate", "SHA-256 des Server-Zertifikats"],
  "setup.play": ["Play a tone", "Ton abspielen"],
  "setup.played": ["That was the tone. Did you hear it?", "Das war der Ton. Haben Sie ihn gehört?"],
  "setup.playing": ["Playing a tone …", "Spielt einen Ton …"],
  "setup.protection": ["Encryption of voice", "Verschlüsselung der Sprache"],
  "setup.protection.dtls": ["always, and no server gets the keys", "immer, und kein Server bekommt die Schlüssel"],
  "setup.protection.mandatory": ["always", "immer"],
  "setup.protection.off": ["never", "nie"],
  "setup.protection.offered": ["where possible", "wo möglich"],
  "setup.record": ["Record and hear", "Aufnehmen und hören"],
  "setup.recording": [
    "Speak now, for three seconds. Then you hear yourself.",
    "Jetzt drei Sekunden sprechen. Danach hören Sie sich selbst."],
  "setup.registering": ["Registering at {0} …", "Meldet sich bei {0} an …"],
  "setup.restart": ["Restart the phone", "Telefon neu starten"],
  "setup.restartHow": [
    "Changes take effect when the phone restarts. This takes a second or two.",
    "Änderungen gelten ab dem Neustart des Telefons. Er dauert ein bis zwei Sekunden."],
  "setup.restarting": ["The phone restarts …", "Das Telefon startet neu …"],
  "setup.ringsOn": ["Rings on", "Klingelt auf"],
  "setup.sealHow": ["To bind it to this machine, run:", "So wird er an dieses Gerät gebunden:"],
  "setup.server": ["Server", "Server"],
  "setup.shown": [
    "The server shows a certificate with this fingerprint. Trust it only if the server’s operator confirms it:",
    "Der Server zeigt ein Zertifikat mit diesem Fingerabdruck. Nur vertrauen, wenn der Betreiber ihn bestätigt:"],
  "setup.silent": [
    "Answered, but no voice came back. Check that no firewall blocks UDP.",
    "Angenommen, aber es kam keine Sprache zurück. Prüfen Sie, ob eine Firewall UDP sperrt."],
  "setup.step.account": ["Account", "Konto"],
  "setup.step.call": ["Test call", "Testanruf"],
  "setup.step.panel": ["Panel", "Bedienteil"],
  "setup.step.restart": ["Restart", "Neustart"],
  "setup.step.sound": ["Sound", "Ton"],
  "setup.step.vault": ["Vault", "Tresor"],
  "setup.tonesOf": ["Tones of", "Töne von"],
  "setup.transport": ["Transport", "Transport"],
  "setup.transport.auto": ["the choice of its DNS", "wie sein DNS es vorgibt"],
  "setup.transport.tcp": ["TCP, not encrypted", "TCP, unverschlüsselt"],
  "setup.transport.tls": ["TLS, encrypted", "TLS, verschlüsselt"],
  "setup.transport.udp": ["UDP, not encrypted", "UDP, unverschlüsselt"],
  "setup.transport.ws": ["WebSocket, not encrypted", "WebSocket, unverschlüsselt"],
  "setup.transport.wss": ["WebSocket over TLS, encrypted", "WebSocket über TLS, verschlüsselt"],
  "setup.try": ["Try it", "Ausprobieren"],
  "setup.tryingElsewhere": ["Another account trial is running …", "Ein anderer Kontoversuch läuft …"],
  "setup.usePin": ["Trust it, and try again with the password", "Vertrauen und mit Passwort erneut probieren"],
  "setup.user": ["User", "Benutzer"],
  "setup.voice": ["Voice came back.", "Sprache kam zurück."],
  "setup.waits": ["after the restart", "nach dem Neustart"],
  "setup.withoutPassword": ["without password", "ohne Passwort"],
  "setup.withPassword": ["with its password", "mit Passwort"],
  "setup.write": ["Write", "Schreiben"],
  "setup.writeHow": [
    "This phone may not write its files. Run on the machine:",
    "Dieses Telefon darf seine Dateien nicht schreiben. Am Gerät ausführen:"],
  "setup.written": ["Written. {0}", "Geschrieben. {0}"],
  "verdict.connectionRefused": [
    "{0} is up, but nothing listens at this port for this transport. Check the port, or try another transport.",
    "{0} ist erreichbar, aber an diesem Port antwortet nichts für diesen Transport. Port prüfen oder anderen Transport probieren."],
  "verdict.forbidden": [
    "The server forbids the registration ({1}). Check user, password and the account’s rights.",
    "Der Server verbietet die Anmeldung ({1}). Benutzer, Passwort und Rechte des Kontos prüfen."],
  "verdict.nameServiceSilent": [
    "No name server answers, so {1} was not found. Check this machine’s network.",
    "Kein Nameserver antwortet, darum wurde {1} nicht gefunden. Das Netz dieses Geräts prüfen."],
  "verdict.nameUnknown": [
    "The name {1} does not exist. Check its spelling.",
    "Den Namen {1} gibt es nicht. Schreibweise prüfen."],
  "verdict.otherName": [
    "The certificate is trusted but belongs to another name: {1}. If that is the server, use that name.",
    "Das Zertifikat ist vertrauenswürdig, gehört aber zu einem anderen Namen: {1}. Wenn das der Server ist, diesen Namen verwenden."],
  "verdict.otherPin": [
    "The server shows a certificate that differs from the pinned one.",
    "Der Server zeigt ein anderes Zertifikat als das festgelegte."],
  "verdict.outOfDate": [
    "The server’s certificate is not valid now ({1}). Check this machine’s clock.",
    "Das Zertifikat des Servers ist jetzt nicht gültig ({1}). Die Uhr dieses Geräts prüfen."],
  "verdict.refused": ["The server rejects the registration ({1}).", "Der Server lehnt die Anmeldung ab ({1})."],
  "verdict.registered": [
    "Registered at {0}. The registration was removed again.",
    "Bei {0} angemeldet. Die Anmeldung wurde wieder entfernt."],
  "verdict.silent": [
    "{0} does not answer. Check the address, and that no firewall blocks it.",
    "{0} antwortet nicht. Adresse prüfen, und ob eine Firewall sperrt."],
  "verdict.silentOverUDP": [
    "{0} does not answer over UDP, but accepts TCP connections. Try TCP or TLS.",
    "{0} antwortet nicht über UDP, nimmt aber TCP-Verbindungen an. TCP oder TLS probieren."],
  "verdict.speaksNoTLS": [
    "{0} does not use TLS at this port. Check the port (for TLS mostly 5061), or choose UDP or TCP.",
    "{0} verwendet an diesem Port kein TLS. Port prüfen (für TLS meist 5061), oder UDP oder TCP wählen."],
  "verdict.speaksOldTLS": [
    "{0} supports only TLS older than 1.2, which is not safe. For Asterisk, set method=tlsv1_2 in its transport.",
    "{0} kann nur TLS vor Version 1.2, das nicht sicher ist. Bei Asterisk method=tlsv1_2 im Transport setzen."],
  "verdict.speaksTLS": ["{0} expects TLS at this port. Choose TLS.", "{0} erwartet an diesem Port TLS. TLS wählen."],
  "verdict.unable": [
    "The server cannot register the phone now ({1}). Try again later.",
    "Der Server kann das Telefon gerade nicht anmelden ({1}). Später erneut probieren."],
  "verdict.unknownAuthority": [
    "No authority that this machine trusts has signed the server’s certificate ({1}).",
    "Keine Zertifizierungsstelle, der dieses Gerät vertraut, hat das Zertifikat des Servers unterschrieben ({1})."],
  "verdict.unknownUser": [
    "The server does not know this user or this domain ({1}).",
    "Der Server kennt diesen Benutzer oder diese Domäne nicht ({1})."],
  "verdict.unreachable": ["This machine cannot reach {0}: {1}.", "Dieses Gerät kann {0} nicht erreichen: {1}."],
  "verdict.wrongPassword": [
    "The server rejects the password or the user ({1}). Check both.",
    "Der Server lehnt Passwort oder Benutzer ab ({1}). Beide prüfen."],
};
