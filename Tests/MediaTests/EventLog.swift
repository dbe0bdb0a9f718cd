import Base
import Glibc
import Media
import PhoneCore

/// Collects events from any thread and lets a test wait for one.
@safe
final class EventLog: @unchecked Sendable {
    // Unchecked: `events` is only touched under `mutex`.
    private var mutex = unsafe pthread_mutex_t()
    private var condition = pthread_cond_t()
    private var events: [MediaEvent] = []

    init() {
        unsafe pthread_mutex_init(&mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(&condition, &attributes)
    }

    func add(_ event: MediaEvent) {
        unsafe pthread_mutex_lock(&mutex)
        events.append(event)
        unsafe pthread_cond_broadcast(&condition)
        unsafe pthread_mutex_unlock(&mutex)
    }

    var all: [MediaEvent] {
        unsafe pthread_mutex_lock(&mutex)
        defer { unsafe pthread_mutex_unlock(&mutex) }
        return events
    }

    func count(_ matches: (MediaEvent) -> Bool) -> Int { all.count(where: matches) }

    /// Waits for the first event that `select` accepts, from the beginning on.
    func wait<Found>(seconds: Int = 5, for select: (MediaEvent) -> Found?) -> Found? {
        var end = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += seconds
        unsafe pthread_mutex_lock(&mutex)
        defer { unsafe pthread_mutex_unlock(&mutex) }
        while true {
            if let found = events.lazy.compactMap(select).first { return found }
            guard unsafe pthread_cond_timedwait(&condition, &mutex, &end) == 0 else { return nil }
        }
    }

    func wait(seconds: Int = 5, for event: MediaEvent) -> Bool {
        wait(seconds: seconds) { $0 == event ? true : nil } ?? false
    }

    /// The first report about a call's quality.
    func quality() -> PhoneCore.VoiceQuality? {
        wait(seconds: 8) { if case .quality(_, let quality) = $0 { quality } else { nil } }
    }
}

/// Lets real time pass, as sound does.
func listen(milliseconds: Int) { usleep(UInt32(milliseconds) * 1_000) }
