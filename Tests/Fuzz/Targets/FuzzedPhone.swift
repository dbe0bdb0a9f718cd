import Base
import Control
import NIOCore
import NIOEmbedded
import PhoneCore

/// A phone behind a control interface that only bytes reach. It settles requests on command. Everything here is on one
/// thread.
final class FuzzedPhone: @unchecked Sendable {
    private static let snapshot = PhoneSnapshot(
        calls: [], hook: nil, digits: "12", muted: false, route: .handset, tone: nil, registrations: [:], lamps: [:],
        ringing: false)

    let loop = EmbeddedEventLoop()
    /// It is held as long as the phone lives, and holds the phone.
    private(set) var control: Control?
    private var waiting: [() -> Void] = []

    /// - Parameter vaultAnswers: At once; otherwise on command.
    init(_ settings: ControlSettings, vaultAnswers: Bool) {
        control = Control(
            settings, loop: loop, post: { [unowned self] action, request in ask(action, request) },
            host: ControlHost(
                version: "1",
                askVault: { [unowned self] action, _ in
                    let answer: @Sendable () -> Void = { [unowned self] in control?.answer(action, .done) }
                    if vaultAnswers { loop.execute(answer) } else { waiting.append(answer) }
                },
                setup: SetupControls(
                    ask: { [unowned self] action, _, _ in
                        waiting.append { [unowned self] in control?.answer(action, .success([:])) }
                    }, stop: { _ in }),
                board: PanelDescription(
                    name: "1", isSimulated: false, hasHook: false, hasBell: false, keys: [], lamps: [], meanings: [:]),
                bootTimeline: { [:] }, statistics: { [:] }, metrics: { "up 1\n" }, panel: nil, report: { _ in }))
    }

    private func ask(_ action: ActionID, _ request: Request) {
        waiting.append { [unowned self] in
            if request == .status { control?.perform(.snapshot(action, Self.snapshot)) }
            control?.perform(.settled(action, request == .stopPlayback ? .failed(.noSuchCall) : .fulfilled))
        }
    }

    /// Settles the oldest or the newest pending request.
    func settleOne(newest: Bool) { (newest ? waiting.popLast() : waiting.isEmpty ? nil : waiting.removeFirst())?() }

    func settleAll() {
        while !waiting.isEmpty { settleOne(newest: false) }
        loop.run()
    }

    func end() {
        control?.close()
        loop.run()
        control = nil
    }
}
