import Base
import PhoneCore
import Platform

/// Keeps the panel running on its thread. It takes failed lines again, because a missing chip may come back, or appear
/// after the start.
///
/// It is used by one thread at a time: the one that starts the panel, then the panel's own.
struct PanelKeeper {
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
