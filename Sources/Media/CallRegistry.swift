import PhoneCore
import Synchronization

/// Keeps calls and their terms alive for the real-time threads, which only borrow them.
///
/// The control thread enters, the event forwarder takes out when the last thread has let go. Neither is real-time: a lock.
final class CallRegistry: Sendable {
    private struct Entry: Sendable {
        let call: CallMedia
        var terms: [PreparedMedia]
        /// Released by the control thread: nothing more is told of it.
        var isReleased = false
    }

    private let entries = Mutex<[UInt32: Entry]>([:])

    var count: Int { entries.withLock { $0.count } }

    func enter(_ call: CallMedia, _ negotiated: PreparedMedia) {
        entries.withLock { $0[call.handle] = Entry(call: call, terms: [negotiated]) }
    }

    func add(_ negotiated: PreparedMedia, to handle: UInt32) {
        entries.withLock { $0[handle]?.terms.append(negotiated) }
    }

    func release(_ handle: UInt32) { entries.withLock { $0[handle]?.isReleased = true } }

    /// The call that a report speaks of, unless it has been released meanwhile.
    func call(_ handle: UInt32) -> CallID? {
        entries.withLock { entries in
            guard let entry = entries[handle], !entry.isReleased else { return nil }
            return entry.call.id
        }
    }

    /// Every thread uses these terms now: older ones go.
    func settle(_ handle: UInt32, on number: UInt32) {
        let old = entries.withLock { entries in
            let old = entries[handle]?.terms.filter { $0.number < number }
            entries[handle]?.terms.removeAll { $0.number < number }
            return old
        }
        // Freed here, outside the lock: keys are wiped.
        _ = consume old
    }

    /// No thread uses the call any more: its sockets are closed and its keys wiped.
    func remove(_ handle: UInt32) {
        let entry = entries.withLock { $0.removeValue(forKey: handle) }
        _ = consume entry
    }

    /// Media closes: the threads have ended.
    func removeAll() {
        let all = entries.withLock { entries in
            defer { entries = [:] }
            return entries
        }
        _ = consume all
    }
}
