import Base
import Panel
import Synchronization
import offhook

/// A telephone on the lines of a chip, and the person before it, both scripted and in simulated time.
///
/// The script maps each prompt to the person's actions. Each happens once, in the script's order. For other prompts
/// the person presses Enter after a while.
final class ScriptedTelephone: PanelBackend, BoardPerson {
    enum Act: Sendable {
        case types(String)
        /// Moves the contacts of lines with the named bounces, in milliseconds, holds them and releases them.
        case moves([Int], bounces: [Double])
        /// Connects two lines of the chip each, by their numbers, for a moment.
        case joins([(UInt32, UInt32)])
    }

    /// The script ran for so long that it never ends.
    struct Endless: Error {}

    fileprivate struct State {
        var now = Instant.zero
        var levels: [Bool]
        var script: [(words: String, act: Act)]
        var edges: [LineEdge] = []
        var typed: [String] = []
        var idleSince = Instant.zero
        var said: [String] = []
        var opened: [LineRequest] = []
        var isOpen = false
        /// The contacts that the person closes, with their times.
        var joints: [(first: UInt32, second: UInt32, from: Instant, to: Instant)] = []
        /// The line of the chip that is driven now, and all that ever were.
        var driven: UInt32?
        var everDriven: Set<UInt32> = []
    }

    private let state: Mutex<State>
    /// A line that changes on its own, every 100 ms.
    private let restless: Int?

    /// - Parameter levels: Of the lines at rest, in the order in which they are watched.
    init(levels: [Bool], restless: Int? = nil, script: [(words: String, act: Act)]) {
        state = Mutex(State(levels: levels, script: script))
        self.restless = restless
    }

    var now: Instant { state.withLock { $0.now } }
    var said: String { state.withLock { $0.said.joined(separator: "\n") } }
    var opened: [LineRequest] { state.withLock { $0.opened } }
    var isOpen: Bool { state.withLock { $0.isOpen } }
    /// The lines of the chip that were ever driven.
    var driven: Set<UInt32> { state.withLock { $0.everDriven } }
    /// The parts of the script that never happened.
    var remaining: [String] { state.withLock { $0.script.map(\.words) } }

    // MARK: The person

    func say(_ text: String) throws {
        state.withLock { state in
            state.said.append(text)
            state.idleSince = state.now
            guard let index = state.script.firstIndex(where: { text.contains($0.words) }) else { return }
            switch state.script.remove(at: index).act {
            case .types(let words): state.typed.append(words)
            case .moves(let lines, let bounces): for line in lines { state.move(line, bounces) }
            case .joins(let pairs):
                let start = state.now + .milliseconds(300)
                for (first, second) in pairs {
                    state.joints.append((first, second, start, start + .milliseconds(150)))
                }
            }
        }
    }

    func prompt(_ text: String) throws {
        state.withLock { state in if state.typed.isEmpty { state.typed.append("") } }
    }

    func typed(within time: Duration) throws -> String? {
        try state.withLock { state in
            guard state.now < Instant.zero + .seconds(3_600) else { throw Endless() }
            if !state.typed.isEmpty { return state.typed.removeFirst() }
            let isIdle = state.edges.isEmpty && state.now - state.idleSince > .seconds(2)
            if time > .zero { state.now = state.now + time }
            return isIdle ? "" : nil
        }
    }

    func pause(for time: Duration) throws { state.withLock { $0.now = $0.now + time } }

    // MARK: The lines

    func open(_ lines: [LineRequest]) throws(PanelError) {
        state.withLock { ($0.opened, $0.isOpen) = (lines, true) }
    }

    func isActive(_ line: Int) throws(PanelError) -> Bool {
        state.withLock { state in
            guard state.opened.contains(where: { $0.role != .input }) else { return state.levels[line] }
            let offset = state.opened[line].offset
            return state.joints.contains { joint in
                joint.from <= state.now && state.now < joint.to
                    && (joint.first == offset && joint.second == state.driven
                        || joint.second == offset && joint.first == state.driven)
            }
        }
    }

    func set(_ line: Int, active: Bool) throws(PanelError) {
        try state.withLock { state throws(PanelError) in
            guard state.opened[line].role == .output(.openDrain), let offset = state.opened[line].offset else {
                throw .broken("line \(line) was driven")
            }
            state.driven = active ? offset : nil
            state.everDriven.insert(offset)
        }
    }

    func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] {
        state.withLock { state in
            let end = deadline ?? state.now
            let twitch = restless.map { _ in
                Instant(nanoseconds: (state.now.nanoseconds / 100_000_000 + 1) * 100_000_000)
            }
            let due = [state.edges.first?.at, twitch].compactMap(\.self).min() ?? end
            state.now = max(state.now, min(end, due))
            var edges = state.edges.prefix { $0.at <= state.now }.map(\.self)
            state.edges.removeFirst(edges.count)
            if let restless, state.now == twitch {
                edges.append(LineEdge(line: restless, active: !state.levels[restless], at: state.now))
            }
            for edge in edges { state.levels[edge.line] = edge.active }
            return edges
        }
    }

    func wake() {}

    func close() { state.withLock { $0.isOpen = false } }
}

extension LineRequest {
    fileprivate var offset: UInt32? { if case .offset(let offset) = address.line { offset } else { nil } }
}

extension ScriptedTelephone.State {
    fileprivate mutating func move(_ line: Int, _ bounces: [Double]) {
        let rest = levels[line]
        var level = rest
        let start = now + .milliseconds(300)
        for milliseconds in bounces + [300] {
            level.toggle()
            let time = start + .nanoseconds(Int64(milliseconds * 1_000_000))
            edges.append(LineEdge(line: line, active: level, at: time))
        }
        precondition(level == rest, "a contact has an odd number of bounces")
        edges.sort { $0.at < $1.at }
    }
}
