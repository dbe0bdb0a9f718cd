// The texts of the front panel: English, German.
import { FAULT_TEXTS, REGISTRATION_FAULTS } from "./fault-words.js";
import { SETUP_TEXTS } from "./setup-words.js";
// Made by the phone, which has one table of these.
import { REASONS } from "./reasons.js";

const TEXTS = {
  ...SETUP_TEXTS,
  ...REASONS,
  ...FAULT_TEXTS,
  accept: ["Accept", "Annehmen"],
  add: ["Add", "Hinzufügen"],
  "alarm.codes": ["Codes locked", "Codes gesperrt"],
  "alarm.conference": ["Conference", "Konferenz"],
  "alarm.interrupted": ["Sound in use", "Ton belegt"],
  "alarm.keys": ["Keys fail", "Tasten gestört"],
  "alarm.noSound": ["No sound: {0}", "Kein Ton: {0}"],
  "alarm.recording": ["Recording", "Aufnahme"],
  "alarm.soundTest": ["Speaker or mic!", "Ton gestört"],
  allCalls: ["All calls", "Alle Anrufe"],
  anonymous: ["Anonymous", "Anonym"],
  answer: ["Answer", "Annehmen"],
  "backend.asking": ["Asking for a code …", "Fragt nach einem Code …"],
  "backend.at": ["at", "unter"],
  "backend.current": ["in use", "in Gebrauch"],
  "backend.enter": ["On any device, enter the code", "Auf einem beliebigen Gerät den Code eingeben:"],
  "backend.failed": ["The sign-in failed: {0}", "Anmeldung gescheitert: {0}"],
  "backend.fault.notSignedIn": ["Sign in first.", "Zuerst anmelden."],
  "backend.fault.scopeTooSmall": ["This token may not do that; it needs the scope configure.", "Dieser Schlüssel darf das nicht; er braucht den Bereich configure."],
  "backend.fault.timedOut": ["The backend does not answer.", "Das Backend antwortet nicht."],
  "backend.fault.wrongState": ["Not now: end the call first.", "Jetzt nicht: zuerst das Gespräch beenden."],
  "backend.hidden": ["(this token may not see it)", "(für diesen Schlüssel unsichtbar)"],
  "backend.needed": ["Sign in again: the backend no longer accepts this phone.", "Neu anmelden: Das Backend nimmt dieses Telefon nicht mehr an."],
  "backend.none": ["Nobody has signed this phone in.", "Niemand hat dieses Telefon angemeldet."],
  "backend.open": ["Open the page with this code", "Seite mit diesem Code öffnen"],
  "backend.qr": ["QR code of the page with this code", "QR-Code der Seite mit diesem Code"],
  "backend.signIn": ["Sign in", "Anmelden"],
  "backend.signOut": ["Sign out", "Abmelden"],
  "backend.signedIn": ["Signed in as {0}", "Angemeldet als {0}"],
  "backend.signingOut": ["Signing out …", "Meldet ab …"],
  "backend.sure": ["Sign out, and remove the account of the sign-in?", "Abmelden und das Konto der Anmeldung entfernen?"],
  "backend.switch": ["Switch", "Wechseln"],
  "backend.switchFailed": ["Not switched: {0}", "Nicht gewechselt: {0}"],
  "backend.switchTo": ["Switch to {0}", "Zu {0} wechseln"],
  "backend.switching": ["switching …", "wechselt …"],
  "backend.title": ["Backend", "Backend"],
  "backend.waiting": ["Waiting for you to sign in.", "Wartet auf Ihre Anmeldung."],
  bellSound: ["Sound of the bell", "Ton der Klingel"],
  call: ["Call", "Anrufen"],
  calls: ["Calls", "Anrufe"],
  callsAbove: ["Calls appear below the display.", "Anrufe erscheinen unter der Anzeige."],
  cancel: ["Cancel", "Abbrechen"],
  cardsLeftOut: ["Skipped {0} cards that are too long.", "{0} zu lange Karten übersprungen."],
  change: ["Change", "Ändern"],
  clear: ["Clear", "Gesehen"],
  clearAll: ["Clear all", "Alle gesehen"],
  conference: ["Conference", "Konferenz"],
  connect: ["Connect", "Verbinden"],
  contacts: ["Contacts", "Kontakte"],
  decline: ["Decline", "Ablehnen"],
  deviceId: ["Name of the phone", "Name des Telefons"],
  dialNumber: ["Dial a number", "Nummer wählen"],
  dialog: ["Conversation of messages", "Nachrichtenfolge"],
  dialOn: ["The next number is dialled on {0}", "Die nächste Nummer wird über {0} gewählt"],
  disconnect: ["Disconnect", "Trennen"],
  display: ["Display", "Anzeige"],
  divertedBy: ["diverted by {0}", "weitergeleitet von {0}"],
  "do-not-disturb": ["Do not disturb", "Ruhe"],
  doNotDisturb: ["Do not disturb", "Nicht stören"],
  exportCards: ["Save as vCard", "Als vCard sichern"],
  flash: ["Flash", "Rückfrage"],
  functionKeys: ["Function keys", "Funktionstasten"],
  handsetDown: ["Put the handset down", "Hörer auflegen"],
  handsetLift: ["Lift the handset", "Hörer abheben"],
  hangup: ["Hang up", "Auflegen"],
  headset: ["Headset", "Headset"],
  history: ["History", "Verlauf"],
  hold: ["Hold", "Halten"],
  importCards: ["Read vCards", "vCards lesen"],
  incoming: ["Incoming", "Eingehend"],
  jitter: ["Jitter", "Jitter"],
  "key.changed": ["The key has changed", "Der Schlüssel hat sich geändert"],
  keypad: ["Keypad", "Wähltasten"],
  kioskCall: ["Call", "Anrufen"],
  kioskNoNumber: [
    "This button has no number. Set calls.speed_dials 1, or add ?number=… to the address.",
    "Diese Taste hat keine Nummer. calls.speed_dials 1 setzen, oder ?number=… an die Adresse anhängen."],
  ladderHow: ["SIP messages of this conversation", "SIP-Nachrichten dieser Folge"],
  lamp: ["lamp: {0}", "Lampe: {0}"],
  "lamp.fastBlink": ["blinks fast", "blinkt schnell"],
  "lamp.flutter": ["flutters", "flackert"],
  "lamp.off": ["off", "aus"],
  "lamp.on": ["on", "an"],
  "lamp.slowBlink": ["blinks", "blinkt"],
  language: ["Deutsch", "English"],
  lifted: ["Handset lifted", "Hörer abgehoben"],
  line: ["Line {0}", "Leitung {0}"],
  "line.disconnected": ["Disconnected", "Getrennt"],
  "line.failed": ["Not registered", "Nicht angemeldet"],
  "line.notNeeded": ["Ready", "Bereit"],
  "line.registered": ["Registered", "Angemeldet"],
  "line.registering": ["Registering …", "Meldet sich an …"],
  lineKeys: ["Line keys and speed dials", "Leitungs- und Zielwahltasten"],
  lines: ["Lines", "Leitungen"],
  linkConnecting: ["Connecting …", "Verbindet …"],
  linkOffline: ["Phone unreachable", "Telefon nicht erreichbar"],
  linkOnline: ["Connected to the phone", "Mit dem Telefon verbunden"],
  loss: ["Loss", "Verlust"],
  louder: ["Louder", "Lauter"],
  messages: ["{0} messages", "{0} Nachrichten"],
  missed: ["Missed", "Verpasst"],
  missedCalls: ["{0} missed", "{0} verpasst"],
  more: ["Show more", "Mehr zeigen"],
  mute: ["Mute", "Stumm"],
  muted: ["Microphone muted", "Mikrofon stumm"],
  name: ["Name", "Name"],
  network: ["Network", "Netz"],
  noCalls: ["No calls. Lift the handset, or enter a number above.", "Kein Anruf. Hörer abheben oder oben eine Nummer eingeben."],
  noTransfer: [
    "The server of this account does not support transfer",
    "Der Server dieses Kontos kann nicht vermitteln"],
  noCallUp: ["No call to hold or transfer", "Kein Gespräch zum Halten oder Vermitteln"],
  noContacts: ["No contacts yet.", "Noch keine Kontakte."],
  noHistory: ["No calls to show.", "Keine Anrufe."],
  noLineKey: ["This key has no account (calls.line_keys)", "Diese Taste hat kein Konto (calls.line_keys)"],
  noLines: ["No account. The tab “Setup” adds one.", "Kein Konto. „Einrichten“ legt eines an."],
  noMissed: ["No missed calls.", "Keine verpassten Anrufe."],
  noNetwork: ["No network", "Kein Netz"],
  noNumber: [
    "“{0}” cannot be dialled: type digits, or an address that begins with sip:",
    "„{0}“ ist nicht wählbar: Ziffern eingeben, oder eine Adresse, die mit sip: beginnt"],
  noPageGroup: [
    "This key has no paging group (paging.groups)",
    "Diese Taste hat keine Durchsagegruppe (paging.groups)"],
  noSignals: ["No SIP messages yet.", "Noch keine SIP-Nachrichten."],
  noSpeedDial: ["This key has no number (calls.speed_dials)", "Diese Taste hat keine Nummer (calls.speed_dials)"],
  noVoicemail: ["No voicemail number is configured (calls.voicemail)", "Keine Nummer der Mailbox eingestellt (calls.voicemail)"],
  number: ["Number", "Nummer"],
  numberOrAddress: ["Number or SIP address", "Nummer oder SIP-Adresse"],
  offline: [
    "The phone does not answer. What you see is old. Retrying …",
    "Das Telefon antwortet nicht. Die Anzeige ist veraltet. Neuer Versuch …"],
  open: ["Open the panel", "Telefon öffnen"],
  outgoing: ["Outgoing", "Ausgehend"],
  page: ["Page {0}", "Durchsage {0}"],
  "phase.active": ["Connected", "Verbunden"],
  "phase.connecting": ["Connecting", "Verbindet"],
  "phase.disconnecting": ["Ending", "Wird beendet"],
  "phase.ended": ["Call ended", "Anruf beendet"],
  "phase.failed": ["Call failed", "Anruf gescheitert"],
  "phase.heldThere": ["Held by the far end", "Von der Gegenseite gehalten"],
  "phase.idle": ["Ready", "Bereit"],
  "phase.onHold": ["On hold", "Gehalten"],
  "phase.reconnecting": ["Reconnecting", "Verbindet wieder"],
  "phase.ringingIn": ["Incoming call", "Eingehender Anruf"],
  "phase.ringingOut": ["Calling", "Wird angerufen"],
  "phase.ringingThere": ["Ringing there", "Es klingelt"],
  phone: ["Telephone", "Telefon"],
  "protection.handshake": ["Encrypted (DTLS)", "Verschlüsselt (DTLS)"],
  "protection.none": ["Not encrypted", "Unverschlüsselt"],
  "protection.protected": ["Encrypted", "Verschlüsselt"],
  "protection.verified": ["Encrypted, words compared", "Verschlüsselt, Wörter verglichen"],
  quality: ["Quality", "Qualität"],
  "rating.fair": ["Fair voice", "Sprache brauchbar"],
  "rating.good": ["Good voice", "Sprache gut"],
  "rating.poor": ["Poor voice", "Sprache schlecht"],
  ready: ["Ready", "Bereit"],
  redial: ["Redial", "Wahl\u00adwieder\u00adholung"],
  registerAnew: ["Register again", "Neu anmelden"],
  remove: ["Remove", "Entfernen"],
  resting: ["Handset on its cradle", "Hörer aufgelegt"],
  resume: ["Resume", "Weiter"],
  search: ["Search", "Suchen"],
  setup: ["Setup", "Einrichten"],
  shortcuts: [
    "Keyboard: 0–9 * # press keys, H lifts the handset and puts it down, A answers, E or Esc hangs up, P holds and resumes, T transfers, M mutes.",
    "Tastatur: 0–9 * # drücken Tasten, H hebt ab und legt auf, A nimmt an, E oder Esc legt auf, P hält und setzt fort, T vermittelt, M schaltet stumm."],
  show: ["Show", "Zeigen"],
  signals: ["SIP", "SIP"],
  signIn: ["Sign in", "Anmelden"],
  signInFault: ["The phone rejected this token.", "Das Telefon hat dieses Token abgelehnt."],
  signInHow: [
    "This page needs a token to use the phone. On the phone, “offhook web enable” prints a link that has one, and “offhook ctl token add browser --scope call” creates one alone. This tab needs it once, until you close it.",
    "Diese Seite braucht ein Token, um das Telefon zu bedienen. Am Telefon druckt „offhook web enable“ einen Link damit, und „offhook ctl token add browser --scope call“ erzeugt nur das Token. Dieser Tab braucht es einmal, bis er schließt."],
  signInScopes: [
    "Its scope decides what the page may do. observe: look. call: also use the phone. configure: also change contacts, accounts, tokens and setup.",
    "Sein Bereich entscheidet, was die Seite darf. observe: ansehen. call: auch telefonieren. configure: auch Kontakte, Konten, Token und Einrichtung ändern."],
  signInWait: [
    "Too many attempts with wrong tokens: wait {0} s.",
    "Zu viele Versuche mit falschem Token: {0} s warten."],
  softer: ["Softer", "Leiser"],
  speaker: ["Speaker", "Laut\u00adsprecher"],
  speed: ["Speed dial {0}", "Zielwahl {0}"],
  "suspicious": ["Number not verified", "Nummer nicht bestätigt"],
  theme: ["Light or dark", "Hell oder dunkel"],
  token: ["Token", "Token"],
  "tone.busy": ["Busy", "Besetzt"],
  "tone.congestion": ["Put the handset down", "Hörer auflegen"],
  "tone.dial": ["Dial tone", "Wählton"],
  "tone.howler": ["Put the handset down", "Hörer auflegen"],
  "tone.specialInformation": ["No such number", "Kein Anschluss"],
  "tone.stutterDial": ["Dial tone, messages wait", "Wählton, Nachrichten warten"],
  tooSlow: ["The phone did not answer in time.", "Das Telefon hat nicht rechtzeitig geantwortet."],
  theCall: ["the call", "der Anruf"],
  transfer: ["Transfer", "Vermitteln"],
  transferFailed: ["Transfer of {0} to {1} failed", "{0} ließ sich nicht an {1} vermitteln"],
  transferTo: ["Transfer to …", "Vermitteln an …"],
  transferWanted: ["Call {0} instead?", "Stattdessen {0} anrufen?"],
  unknown: ["Unknown", "Unbekannt"],
  unsent: ["The far end cannot hear you", "Gegenseite hört Sie nicht"],
  verified: ["Number verified", "Nummer bestätigt"],
  version: ["Version", "Version"],
  views: ["Views", "Ansichten"],
  voicemail: ["Voicemail", "Mailbox"],
  volume: ["Volume", "Lautstärke"],
  "volume-down": ["Softer", "Leiser"],
  "volume-up": ["Louder", "Lauter"],
  "words.agree": ["The words agree", "Die Wörter sind gleich"],
  "words.compare": ["Read aloud and compare: {0}", "Vorlesen und vergleichen: {0}"],
  "words.differ": ["The words differ", "Die Wörter sind verschieden"],
};

const LANGUAGES = ["en", "de"];
let column = 0;

/// Chooses a language by its code; English for unknown codes.
export function speak(code) { column = Math.max(0, LANGUAGES.indexOf(String(code).slice(0, 2).toLowerCase())); }

export function language() { return LANGUAGES[column]; }

export function otherLanguage() { return LANGUAGES[1 - column]; }

export function knows(key) { return Object.hasOwn(TEXTS, key); }

/// The phone's sentence in the page's language. The phone speaks English, so other languages have a text for its code.
export function sentence(kind, code, english) {
  if (column === 0 && english) return english;
  return words(knows(`${kind}.${code}`) ? `${kind}.${code}` : `${kind}.other`);
}

/// Why a line is not registered, in the page's language.
export function registrationWords(message) {
  if (column === 0 || !message) return message ?? "";
  for (const [pattern, text] of REGISTRATION_FAULTS) {
    const found = pattern.exec(message);
    if (found) return text.replace("{0}", found[1] ?? "");
  }
  return words("registration.other");
}

/// The text of a key, with values for {0}, {1} …
export function words(key, ...values) {
  const text = knows(key) ? TEXTS[key][column] : key;
  return text.replace(/\{(\d)\}/g, (place, index) => values[index] ?? place);
}
