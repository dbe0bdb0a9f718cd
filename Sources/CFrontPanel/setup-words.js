// The texts of setup: English, German.
export const SETUP_TEXTS = {
  "heard.faint": [
    "I heard very little: is the microphone far away, or its level low?",
    "Ich habe sehr wenig gehört: ist das Mikrofon weit weg oder leise gestellt?"],
  "heard.heard": ["I heard you.", "Ich habe Sie gehört."],
  "heard.silence": [
    "Silence: is the microphone muted, or is it another one?",
    "Stille: ist das Mikrofon stumm, oder ist es ein anderes?"],
  "heard.tooLoud": [
    "Too loud: it is cut off. Lower the microphone’s level.",
    "Zu laut, es verzerrt. Das Mikrofon leiser stellen."],
  "route.bluetooth": ["Bluetooth", "Bluetooth"],
  "route.handset": ["Handset", "Hörer"],
  "route.headset": ["Headset", "Headset"],
  "route.ringer": ["Ringer", "Klingel"],
  "route.speaker": ["Speaker", "Lautsprecher"],
  "setup.answered": ["Answered. Waiting for voice …", "Angenommen. Wartet auf Sprache …"],
  "setup.asItIs": ["as it is", "wie sie ist"],
  "setup.authUser": ["Name for the password", "Name zum Passwort"],
  "setup.authorities": ["PEM file of the server’s authority, on this phone", "PEM-Datei der Zertifizierungsstelle, auf diesem Telefon"],
  "setup.board": ["{0}, described by {1}", "{0}, beschrieben in {1}"],
  "setup.boards": ["Board files whose chips are not here", "Boarddateien, deren Chips hier fehlen"],
  "setup.boardSimulated": [
    "{0}: no hardware. This page moves its handset and keys. ({1})",
    "{0}: ohne Hardware. Diese Seite bewegt Hörer und Tasten. ({1})"],
  "setup.callFailed": ["The call failed: {0}", "Anruf gescheitert: {0}"],
  "setup.callHow": [
    "The echo test of the server sends your voice back. Any other number shows whether it is answered, and whether voice comes.",
    "Der Echotest des Servers schickt Ihre Stimme zurück. Jede andere Nummer zeigt, ob abgenommen wird und ob Sprache kommt."],
  "setup.calling": ["Calling …", "Ruft an …"],
  "setup.callItself": ["Call this phone itself", "Dieses Telefon selbst anrufen"],
  "setup.cameBack": [
    "The call came back from the server: others reach this phone.",
    "Der Anruf kam vom Server zurück: andere erreichen dieses Telefon."],
  "setup.cancelled": ["The trial was ended.", "Der Versuch wurde beendet."],
  "setup.cards": ["Sound cards here: {0}.", "Soundkarten hier: {0}."],
  "setup.chips": ["GPIO chips here: {0}", "GPIO-Chips hier: {0}"],
  "setup.chosen": ["chosen, not written yet", "gewählt, noch nicht geschrieben"],
  "setup.country": ["Tones of {0}.", "Töne: {0}."],
  "setup.discard": ["Leave it as it is", "Lassen, wie es ist"],
  "setup.displayName": ["Name that others see", "Name, den andere sehen"],
  "setup.domain": ["Domain, where it is not the server", "Domäne, wo sie nicht der Server ist"],
  "setup.done": ["done", "fertig"],
  "setup.echo": ["Number of the echo test", "Nummer des Echotests"],
  "setup.encryption": ["voice encrypted {0}", "Sprache {0} verschlüsselt"],
  "setup.fault.busy": ["Something else is being tried just now.", "Gerade läuft ein anderer Versuch."],
  "setup.fault.inCall": [
    "There is a call, which would end. Hang up first.",
    "Ein Gespräch läuft und würde enden. Erst auflegen."],
  "setup.fault.noDevice": ["This route has no sound device.", "Dieser Weg hat kein Tongerät."],
  "setup.fault.noSuchPlan": ["That was too long ago: choose again.", "Das ist zu lange her: bitte noch einmal wählen."],
  "setup.fault.noSuchTrial": [
    "The phone does not remember this trial any more. Try it again.",
    "Das Telefon kennt diesen Versuch nicht mehr. Bitte erneut probieren."],
  "setup.fault.scopeTooSmall": [
    "Setting up needs a token of the scope “configure”: offhook ctl token add setup --scope configure",
    "Zum Einrichten braucht es ein Token mit dem Recht „configure“: offhook ctl token add setup --scope configure"],
  "setup.fault.soundInUse": [
    "The phone itself uses its sound devices now: put the handset down and try again.",
    "Das Telefon benutzt seine Tongeräte gerade selbst: auflegen und erneut probieren."],
  "setup.filesChange": [
    "This would be written. What stands there now is kept as .bak.",
    "Das würde geschrieben. Was jetzt dort steht, bleibt als .bak erhalten."],
  "setup.fits": ["its chips are here", "seine Chips sind da"],
  "setup.handsetRests": [
    "Leave the handset on its cradle: once lifted, the phone itself uses it for the dial tone.",
    "Den Hörer aufgelegt lassen: abgehoben braucht ihn das Telefon selbst für den Wählton."],
  "setup.keep": ["Keep this account", "Dieses Konto behalten"],
  "setup.keepAnyway": ["Keep it all the same", "Trotzdem behalten"],
  "setup.keeps": ["This is what the vault would get:", "Das käme in den Tresor:"],
  "setup.kept": ["{0} is kept.", "{0} ist gespeichert."],
  "setup.key.file": [
    "The vault is encrypted; its key lies in clear beside it. Who can copy both has passwords and recordings. ({0})",
    "Der Tresor ist verschlüsselt; sein Schlüssel liegt offen daneben. Wer beide kopieren kann, hat Passwörter und Aufnahmen. ({0})"],
  "setup.key.passphrase": [
    "The vault’s key is locked by a passphrase, which somebody types after each start of the machine. ({0})",
    "Der Schlüssel des Tresors ist durch ein Passwort gesperrt, das nach jedem Start des Geräts jemand eingibt. ({0})"],
  "setup.key.sealed": [
    "The vault’s key is sealed to this machine: copied elsewhere it opens nothing. ({0})",
    "Der Schlüssel des Tresors ist an dieses Gerät gebunden: anderswo öffnet er nichts. ({0})"],
  "setup.label": ["What you call it", "Wie Sie es nennen"],
  "setup.lost": ["not there", "nicht da"],
  "setup.more": ["More", "Mehr"],
  "setup.noCards": ["No sound card here.", "Keine Soundkarte hier."],
  "setup.noChips": ["No GPIO chip that this phone may use.", "Kein GPIO-Chip, den dieses Telefon benutzen darf."],
  "setup.noDevice": ["none", "keins"],
  "setup.noSound": ["no sound", "kein Ton"],
  "setup.notCalled": ["The phone did not call.", "Das Telefon hat nicht angerufen."],
  "setup.nothingChanges": ["It is like that already.", "Es ist schon so."],
  "setup.open": ["open", "offen"],
  "setup.otherBoard": ["Another board", "Anderes Board"],
  "setup.others": ["Choose other devices", "Andere Geräte wählen"],
  "setup.panelFails": [
    "The phone does not get at the lines of this board. “{0}” says why.",
    "Das Telefon kommt nicht an die Leitungen dieses Boards. „{0}“ sagt, warum."],
  "setup.password": ["Password", "Passwort"],
  "setup.pin": ["SHA-256 of the server’s certificate", "SHA-256 des Server-Zertifikats"],
  "setup.play": ["Play a tone", "Ton abspielen"],
  "setup.played": ["That was the tone. Did you hear it?", "Das war der Ton. Haben Sie ihn gehört?"],
  "setup.playing": ["A tone …", "Ein Ton …"],
  "setup.protection": ["Encryption of voice", "Verschlüsselung der Sprache"],
  "setup.protection.dtls": ["always, with keys that no server has", "immer, mit Schlüsseln, die kein Server hat"],
  "setup.protection.mandatory": ["always", "immer"],
  "setup.protection.off": ["never", "nie"],
  "setup.protection.offered": ["where possible", "wo möglich"],
  "setup.record": ["Record and hear", "Aufnehmen und hören"],
  "setup.recording": [
    "Speak now, for three seconds. Then you hear yourself.",
    "Jetzt drei Sekunden sprechen. Danach hören Sie sich selbst."],
  "setup.registering": ["Registering at {0} …", "Meldet sich bei {0} an …"],
  "setup.restart": ["Start the phone again", "Telefon neu starten"],
  "setup.restartHow": [
    "The phone uses what is new from its next start on. That takes a second or two.",
    "Das Neue gilt ab dem nächsten Start des Telefons. Das dauert ein bis zwei Sekunden."],
  "setup.restarting": ["The phone starts again …", "Das Telefon startet neu …"],
  "setup.ringsOn": ["Rings on", "Klingelt auf"],
  "setup.sealHow": ["This binds it to this machine:", "Das bindet ihn an dieses Gerät:"],
  "setup.server": ["Server", "Server"],
  "setup.shown": [
    "The server shows a certificate with this fingerprint. Trust it only if the server’s operator says the same:",
    "Der Server zeigt ein Zertifikat mit diesem Fingerabdruck. Nur vertrauen, wenn der Betreiber dasselbe sagt:"],
  "setup.silent": [
    "Answered, but no voice came back. Does a firewall hold UDP back?",
    "Angenommen, aber es kam keine Sprache zurück. Hält eine Firewall UDP auf?"],
  "setup.step.account": ["Account", "Konto"],
  "setup.step.call": ["Test call", "Testanruf"],
  "setup.step.panel": ["Panel", "Bedienteil"],
  "setup.step.restart": ["Next start", "Nächster Start"],
  "setup.step.sound": ["Sound", "Ton"],
  "setup.step.vault": ["Vault", "Tresor"],
  "setup.tonesOf": ["Tones of", "Töne von"],
  "setup.transport": ["Transport", "Transport"],
  "setup.transport.auto": ["as its DNS says", "wie sein DNS sagt"],
  "setup.transport.tcp": ["TCP, in clear", "TCP, unverschlüsselt"],
  "setup.transport.tls": ["TLS, encrypted", "TLS, verschlüsselt"],
  "setup.transport.udp": ["UDP, in clear", "UDP, unverschlüsselt"],
  "setup.transport.ws": ["WebSocket, in clear", "WebSocket, unverschlüsselt"],
  "setup.transport.wss": ["WebSocket over TLS, encrypted", "WebSocket über TLS, verschlüsselt"],
  "setup.try": ["Try it", "Ausprobieren"],
  "setup.tryingElsewhere": ["An account is being tried …", "Ein Konto wird gerade ausprobiert …"],
  "setup.usePin": ["Trust it, and try with the password again", "Vertrauen und mit Passwort erneut probieren"],
  "setup.user": ["User", "Benutzer"],
  "setup.voice": ["Voice came back.", "Sprache kam zurück."],
  "setup.waits": ["from the next start on", "ab dem nächsten Start"],
  "setup.withoutPassword": ["without password", "ohne Passwort"],
  "setup.withPassword": ["with its password", "mit Passwort"],
  "setup.write": ["Write it", "Schreiben"],
  "setup.writeHow": [
    "This phone may not write its files. On the machine:",
    "Dieses Telefon darf seine Dateien nicht schreiben. Am Gerät:"],
  "setup.written": ["Written. {0}", "Geschrieben. {0}"],
  "verdict.connectionRefused": [
    "{0} is there, but nothing listens at that port for this transport. Is the port right? Try another transport.",
    "{0} ist da, aber an diesem Port hört für diesen Transport niemand zu. Stimmt der Port? Einen anderen Transport probieren."],
  "verdict.forbidden": [
    "The server forbids it ({1}): the user, the password, or what this account may do.",
    "Der Server verbietet es ({1}): Benutzer, Passwort oder Rechte des Kontos."],
  "verdict.nameServiceSilent": [
    "No name server answers, so that {1} is not found. Has this machine a network?",
    "Kein Nameserver antwortet, darum wird {1} nicht gefunden. Hat das Gerät ein Netz?"],
  "verdict.nameUnknown": [
    "The name {1} does not exist. Is it written as the server’s operator writes it?",
    "Den Namen {1} gibt es nicht. Ist er so geschrieben wie beim Betreiber?"],
  "verdict.otherName": [
    "The certificate is trusted but belongs to another name: {1}. Use that name, if it is the server’s.",
    "Dem Zertifikat wird vertraut, es gehört aber zu einem anderen Namen: {1}. Diesen verwenden, wenn es der des Servers ist."],
  "verdict.otherPin": [
    "The server shows another certificate than the one that is pinned.",
    "Der Server zeigt ein anderes Zertifikat als das festgelegte."],
  "verdict.outOfDate": [
    "The server’s certificate is out of date ({1}). Is this machine’s clock right?",
    "Das Zertifikat des Servers gilt nicht mehr oder noch nicht ({1}). Geht die Uhr des Geräts richtig?"],
  "verdict.refused": ["The server refuses ({1}).", "Der Server lehnt ab ({1})."],
  "verdict.registered": [
    "Registered at {0}. The registration was taken back.",
    "Bei {0} angemeldet. Die Anmeldung wurde wieder zurückgenommen."],
  "verdict.silent": [
    "{0} does not answer. Is the address right, and does a firewall let it through?",
    "{0} antwortet nicht. Stimmt die Adresse, und lässt die Firewall es durch?"],
  "verdict.silentOverUDP": [
    "{0} does not answer over UDP, but takes connections: try TCP or TLS.",
    "{0} antwortet nicht über UDP, nimmt aber Verbindungen an: TCP oder TLS probieren."],
  "verdict.speaksNoTLS": [
    "{0} does not speak TLS at that port. Is it the port for TLS (mostly 5061)? Else choose UDP or TCP.",
    "{0} spricht an diesem Port kein TLS. Ist es der Port für TLS (meist 5061)? Sonst UDP oder TCP wählen."],
  "verdict.speaksOldTLS": [
    "{0} speaks only TLS older than 1.2, which is not safe any more. At Asterisk, set method=tlsv1_2 in its transport.",
    "{0} spricht nur TLS vor Version 1.2, das nicht mehr sicher ist. Bei Asterisk hilft method=tlsv1_2 im Transport."],
  "verdict.speaksTLS": [
    "{0} speaks TLS at that port, and the account does not: choose TLS.",
    "{0} spricht an diesem Port TLS, das Konto nicht: TLS wählen."],
  "verdict.unable": ["The server is not able to do it just now ({1}).", "Der Server kann es gerade nicht ({1})."],
  "verdict.unknownAuthority": [
    "Nobody whom this machine trusts has signed the server’s certificate ({1}).",
    "Das Zertifikat des Servers ist von niemandem unterschrieben, dem dieses Gerät vertraut ({1})."],
  "verdict.unknownUser": [
    "The server does not know this user or this domain ({1}).",
    "Der Server kennt diesen Benutzer oder diese Domäne nicht ({1})."],
  "verdict.unreachable": ["This machine does not reach {0}: {1}.", "Dieses Gerät erreicht {0} nicht: {1}."],
  "verdict.wrongPassword": [
    "The server does not take the password, or does not know the user ({1}).",
    "Der Server nimmt das Passwort nicht oder kennt den Benutzer nicht ({1})."],
};
