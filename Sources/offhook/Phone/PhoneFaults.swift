import Control
import PhoneCore
import Synchronization

/// Configured parts that do not work at present, although calls do. Usable from any thread.
final class PhoneFaults: Sendable {
    enum Part: Int, CaseIterable, Sendable { case controlSocket, http, eventLog, storage }

    private struct State: Sendable {
        var language: DisplayLanguage
        var sentences: [Part: String] = [:]
        var content: DisplayContent?
        var show: (@Sendable (DisplayContent) -> Void)?
    }

    private let state: Mutex<State>

    init(language: DisplayLanguage = .english) { state = Mutex(State(language: language)) }

    /// From now on, notes for the display are in this language.
    func speak(_ language: DisplayLanguage) {
        state.withLock { $0.language = language }
        showAgain()
    }

    /// - Parameter sentence: Nil: the part works again.
    func set(_ part: Part, _ sentence: String?) {
        state.withLock { $0.sentences[part] = sentence }
        showAgain()
    }

    var all: [PhoneFault] {
        let (sentences, language) = state.withLock { ($0.sentences, $0.language) }
        return Part.allCases.compactMap { part in
            sentences[part].map { PhoneFault(part.name, sentence: $0, notes: part.note, shown: language) }
        }
    }

    /// From now on, shows contents with the faults among their notes.
    func start(showing show: @escaping @Sendable (DisplayContent) -> Void) {
        state.withLock { $0.show = show }
    }

    func show(_ content: DisplayContent) {
        state.withLock { $0.content = content }
        showAgain()
    }

    private func showAgain() {
        let (shown, show) = state.withLock { state -> (DisplayContent?, (@Sendable (DisplayContent) -> Void)?) in
            (state.content, state.show)
        }
        guard var shown else { return }
        shown.notes += all.map(\.note)
        show?(shown)
    }
}

extension PhoneFaults.Part {
    fileprivate func note(_ language: DisplayLanguage) -> String {
        switch (self, language) {
        case (.controlSocket, .english): "Control fails"
        case (.controlSocket, .german): "Steuerung gestört"
        case (.http, .english): "Web page fails"
        case (.http, .german): "Webseite gestört"
        case (.eventLog, .english): "Event log fails"
        case (.eventLog, .german): "Protokoll gestört"
        case (.storage, .english): "Storage fails"
        case (.storage, .german): "Speicher gestört"
        }
    }

    /// The word for programs.
    fileprivate var name: String {
        switch self {
        case .controlSocket: "controlSocket"
        case .http: "http"
        case .eventLog: "eventLog"
        case .storage: "storage"
        }
    }
}

extension PhoneFaults {
    /// Records which part of the control interface cannot be opened.
    func take(_ report: ControlReport) {
        switch report {
        case .notOpen(.socket, let error): set(.controlSocket, "\(error)")
        case .notOpen(.http, let error): set(.http, "\(error)")
        case .opened(.socket): set(.controlSocket, nil)
        case .opened(.http): set(.http, nil)
        case .peerRefused, .tooManyConnections, .slowReaderDropped, .overlongLineDropped, .requestRefused,
            .guesserSlowed, .listenerFailed:
            return
        }
    }
}

extension ControlReport {
    var isFault: Bool { if case .notOpen = self { true } else { false } }

    /// The report as a sentence for the log.
    var sentence: String {
        switch self {
        case .peerRefused(let user):
            "rejected a program of \(user.map { "user \($0)" } ?? "an unknown user"): it may not use the control socket"
        case .tooManyConnections: "rejected a program: all connections are in use"
        case .slowReaderDropped: "closed a connection: its program does not read what the phone sends"
        case .overlongLineDropped: "closed a connection: its program sent too long a line"
        case .requestRefused(let why, let address): "rejected a request from \(address): \(why)"
        case .guesserSlowed(let address): "\(address) sent wrong tokens; its next attempts are delayed"
        case .notOpen(_, let error): "\(error); retrying every few seconds; calls are not affected"
        case .opened(.socket): "the control socket is open again"
        case .opened(.http): "the HTTP port is open again"
        case .listenerFailed(let why): "accepts no more connections: \(why)"
        }
    }
}
