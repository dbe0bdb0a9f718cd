import Base
import PhoneCore
import Platform

/// The panel's thread: waits for edges and for the machine's deadline, and sets the outputs as the machine decides.
///
/// It is used by one thread at a time: the one that starts the panel, then the panel's own.
struct PanelLoop {
    private let backend: any PanelBackend
    private let counters: PanelCounters
    private var machine: PanelMachine
    /// The level that each output was last set to.
    private var isOn: [Int: Bool] = [:]

    /// Takes the lines and reads the hook.
    init(_ plan: PanelPlan, backend: any PanelBackend, counters: PanelCounters) throws(PanelError) {
        (self.backend, self.counters) = (backend, counters)
        try backend.open(plan.lines)
        do throws(PanelError) {
            let hookIsActive = if let hook = plan.hook { try backend.isActive(hook.line) } else { false }
            machine = PanelMachine(plan, hookIsActive: hookIsActive)
            for row in plan.keypad?.rows ?? [] { try backend.set(row, active: true) }
        } catch {
            backend.close()
            throw error
        }
    }

    var hookPosition: HookPosition? { machine.hookPosition }

    /// Runs until `orders` says to stop or the lines fail. Then it switches all outputs off and releases the lines.
    /// - Returns: Why the lines failed; nil if it was asked to stop.
    mutating func run(orders: PanelOrders, post: (PanelEvent) -> Void) -> PanelError? {
        var failure: PanelError?
        do throws(PanelError) {
            while let effects = orders.take() { try turn(effects, post: post) }
        } catch {
            failure = error
        }
        // This happens after a failure too, because the bell may be on another chip than the lost one. Relays come
        // first, because a line that hangs blocks all lines after it.
        for output in machine.plan.outputsRelaysFirst {
            do throws(PanelError) {
                try backend.set(output.line, active: false)
            } catch {
                failure = failure ?? error
            }
        }
        backend.close()
        return failure
    }

    /// Shows the outputs, waits for edges, then reads the levels.
    private mutating func turn(_ effects: [PanelEffect], post: (PanelEvent) -> Void) throws(PanelError) {
        var now = MonotonicClock.now()
        for effect in effects { machine.perform(effect, at: now) }
        try showOutputs(at: now)
        var edges: [LineEdge] = []
        var active: Set<Int> = []
        var more = try backend.wait(until: machine.deadline(after: now))
        // If this thread was stalled between waiting and reading, lines may have moved in that time, and the levels do
        // not match the edges. Then both are read again, so that the machine gets every edge before the level that
        // results from it.
        repeat {
            edges += more
            now = MonotonicClock.now()
            active = try levels(of: machine.watchedLines)
            more = edges.count < PanelMachine.edgesKept ? try backend.wait(until: now) : []
        } while !more.isEmpty
        var events = machine.looked(edges: edges, active: active, at: now)
        counters.count(edges: edges.count, events: events.count)
        counters.show(dialFaults: machine.dialFaults)
        events.forEach(post)
        if machine.wantsScan(at: now) {
            let image = try scan()
            events = machine.scanned(image, at: MonotonicClock.now())
            events.forEach(post)
            counters.count(edges: 0, events: events.count)
        }
    }

    /// Lines that go off come first, so that both halves of a bridge are never on together.
    private mutating func showOutputs(at now: Instant) throws(PanelError) {
        let wanted = machine.plan.outputs.map { (line: $0.line, isOn: machine.isOn($0, at: now)) }
        for level in [false, true] {
            for output in wanted where output.isOn == level && isOn[output.line, default: false] != level {
                try backend.set(output.line, active: level)
                isOn[output.line] = level
            }
        }
    }

    private func levels(of lines: [Int]) throws(PanelError) -> Set<Int> {
        var active: Set<Int> = []
        for line in lines where try backend.isActive(line) { active.insert(line) }
        return active
    }

    /// Drives one row at a time and reads the columns. It leaves all rows driven, so that the next first key makes an
    /// edge.
    private func scan() throws(PanelError) -> MatrixImage {
        guard let keypad = machine.plan.keypad else { return MatrixImage(rows: 0, columns: 0) }
        var image = MatrixImage(rows: keypad.rows.count, columns: keypad.columns.count)
        for line in keypad.rows { try backend.set(line, active: false) }
        for (row, line) in keypad.rows.enumerated() {
            try backend.set(line, active: true)
            MonotonicClock.sleep(keypad.timing.settle)
            for (column, line) in keypad.columns.enumerated() { image[row, column] = try backend.isActive(line) }
            try backend.set(line, active: false)
        }
        for line in keypad.rows { try backend.set(line, active: true) }
        return image
    }
}

/// Keeps the panel running on its thread. It takes failed lines again, because a missing chip may come back, or appear
/// after the start.
///
/// It is used by one thread at a time: the one that starts the panel, then the panel's own.
struct PanelSupervisor {
    /// The time from one attempt to the next. It doubles each time, up to `longestPause`.
    static let firstPause = Duration.milliseconds(500)
    static let longestPause = Duration.seconds(5)

    let plan: PanelPlan
    let backend: any PanelBackend
    let counters: PanelCounters
    let orders: PanelOrders
    let post: @Sendable (PanelEvent) -> Void
    /// Nil: the lines could not be taken.
    private var loop: PanelLoop?
    /// The last reported failure. A lasting failure is reported once.
    private var told: String?

    init(
        _ plan: PanelPlan, backend: any PanelBackend, counters: PanelCounters, orders: PanelOrders,
        post: @escaping @Sendable (PanelEvent) -> Void
    ) {
        (self.plan, self.backend, self.counters, self.orders, self.post) = (plan, backend, counters, orders, post)
    }

    /// Takes the lines, and posts the hook's position or the failure.
    mutating func open() {
        do throws(PanelError) {
            let made = try PanelLoop(plan, backend: backend, counters: counters)
            (loop, told) = (made, nil)
            // The lines were just taken, so their levels do not show earlier orders.
            orders.repeatAll()
            if let position = made.hookPosition { post(.hookFound(position)) }
        } catch {
            tell(error)
        }
    }

    /// Runs until `orders` says to stop.
    mutating func run() {
        var pause = Self.firstPause
        while true {
            if loop != nil {
                pause = Self.firstPause
                guard let failure = loop?.run(orders: orders, post: post) else { return }
                loop = nil
                tell(failure)
            }
            guard orders.sleep(until: MonotonicClock.now() + pause) else { return }
            pause = min(pause * 2, Self.longestPause)
            open()
        }
    }

    private mutating func tell(_ failure: PanelError) {
        let text = "\(failure)"
        guard text != told else { return }
        told = text
        post(.failed(text))
    }
}
