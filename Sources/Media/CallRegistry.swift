import PhoneCore
import Synchronization

/// Keeps calls and their terms alive for the real-time threads, which only borrow them.
///
/// The control thread adds calls. The event forwarder removes them when the last real-time thread has released them.
/// Neither thread is real-time, so a lock is allowed.
final class CallRegistry: Sendable {
    private struct Entry: Sendable {
        let call: CallMedia
        var negotiated: [PreparedMedia]
        /// The control thread has released the call; Media posts no more of its events.
        var isReleased = false
    }

    private let entries = Mutex<[UInt32: Entry]>([:])

    var count: Int { entries.withLock { $0.count } }

    func enter(_ call: CallMedia, _ negotiated: PreparedMedia) {
        entries.withLock { $0[call.handle] = Entry(call: call, negotiated: [negotiated]) }
    }

    func add(_ negotiated: PreparedMedia, to handle: UInt32) {
        entries.withLock { $0[handle]?.negotiated.append(negotiated) }
    }

    func release(_ handle: UInt32) { entries.withLock { $0[handle]?.isReleased = true } }

    /// The call of a report's handle. Nil once the control thread has released it.
    func call(_ handle: UInt32) -> CallID? {
        if case .call(let id) = owner(handle) { id } else { nil }
    }

    /// The group of the page of a report's handle. Nil once the control thread has released it.
    func page(_ handle: UInt32) -> UInt8? {
        if case .page(let group) = owner(handle) { group } else { nil }
    }

    private func owner(_ handle: UInt32) -> CallMedia.Owner? {
        entries.withLock { entries in
            guard let entry = entries[handle], !entry.isReleased else { return nil }
            return entry.call.owner
        }
    }

    /// Removes the older terms of a call, because every thread now uses the terms `number`.
    func settle(_ handle: UInt32, on number: UInt32) {
        let old = entries.withLock { entries in
            let old = entries[handle]?.negotiated.filter { $0.number < number }
            entries[handle]?.negotiated.removeAll { $0.number < number }
            return old
        }
        // The old terms are freed here, outside the lock, because freeing wipes their keys.
        _ = consume old
    }

    /// Removes a call that no thread uses any more: closes its sockets and wipes its keys.
    func remove(_ handle: UInt32) {
        let entry = entries.withLock { $0.removeValue(forKey: handle) }
        _ = consume entry
    }

    /// Removes all calls when Media closes. The threads have ended by then.
    func removeAll() {
        let all = entries.withLock { entries in
            defer { entries = [:] }
            return entries
        }
        _ = consume all
    }
}
