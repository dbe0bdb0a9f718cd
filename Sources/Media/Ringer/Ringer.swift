import Base
import CALSA  // For poll.h.
import Glibc
import PhoneCore
import Platform
import SoundCore
import Synchronization

/// The ringer. It has its own device and its own thread, so that its faults do not affect a call.
///
/// The device is opened at once and is idle until there is something to ring. Its sound is written well ahead, because
/// a ring may have a long delay. When the ring ends, queued sound is dropped. A device that cannot be opened or that
/// breaks is reported once, tried again each second, and reported when it is back. Confined to its thread.
struct Ringer: ~Copyable {
    static let retryInterval = Duration.seconds(1)
    /// How often to check a device without events.
    private static let lookInterval = Duration.milliseconds(100)
    private static let descriptorLimit = 8
    /// The device holds two of these: a thread without real-time priority may wake that late.
    private static let quantumMilliseconds = 40
    private static let quantum = quantumMilliseconds * SoundFormat.samplesPerMillisecond

    private let name: String
    private let order: RingOrder
    private let stop: StopFlag
    private let volume: VolumeControl
    private let counters: MediaCounters
    private let post: @Sendable (MediaEvent) -> Void
    private let probe: ThreadProbe
    private let output: Workspace<Int16>
    private var descriptors = Array(repeating: pollfd(), count: descriptorLimit)
    private var playbackDevice = PlaybackDevice(quantum: quantum, period: .milliseconds(quantumMilliseconds))
    private var player = RingPlayer()
    private var orders = 0
    /// When to try a closed device again.
    private var retry = Instant.zero
    /// Whether the device was reported as lost.
    private var isLost = false

    init(
        name: String, order: RingOrder, stop: StopFlag, probe: ThreadProbe, volume: VolumeControl,
        counters: MediaCounters, post: @escaping @Sendable (MediaEvent) -> Void
    ) {
        self.name = name
        self.order = order
        self.stop = stop
        self.volume = volume
        self.counters = counters
        self.post = post
        self.probe = probe
        output = Workspace(count: Self.quantum, filler: 0)
    }

    mutating func run() {
        while !stop.isRaised {
            probe.answer()
            takeOrder(at: MonotonicClock.now())
            open(at: MonotonicClock.now())
            play(at: MonotonicClock.now())
            sleep()
        }
        playbackDevice.giveUp()?.close()
    }

    private mutating func takeOrder(at now: Instant) {
        guard let sound = order.take(after: &orders) else { return }
        switch sound {
        case .nothing:
            player.cut()
            rest(at: now)
        case .tone, .recording:
            player.play(sound)
        }
    }

    // MARK: The device

    private mutating func open(at now: Instant) {
        guard playbackDevice.stream == nil, now >= retry else { return }
        retry = now + Self.retryInterval
        do throws(SoundStream.OpenFailure) {
            playbackDevice.adopt(try SoundStream.open(name, .playback, quantum: Self.quantum), at: now)
            if isLost { post(.ringerFound) }
            isLost = false
        } catch {
            tellLost(error)
        }
    }

    /// Drops the sound queued in the device.
    private mutating func rest(at now: Instant) {
        guard let stream = playbackDevice.stream else { return }
        let code = stream.rest()
        if code < 0 { lose(Int32(code)) }
    }

    /// Gives up a broken device. A device that was open for long is tried again at once, because it may have been
    /// unplugged and plugged in again.
    private mutating func lose(_ code: Int32) {
        playbackDevice.giveUp()?.close()
        counters.devicesLost.count()
        tellLost(SoundStream.OpenFailure(code: code))
    }

    private mutating func tellLost(_ failure: SoundStream.OpenFailure) {
        if !isLost { post(.ringerLost("ringer \"\(name)\": \(failure.reason)")) }
        isLost = true
    }

    // MARK: Sound

    private mutating func play(at now: Instant) {
        while player.isActive, playbackDevice.stream != nil {
            switch playbackDevice.demand(isNeeded: true, counters, at: now) {
            case .nothing: return
            case .dry: continue
            case .lost(let code): lose(code)
            case .quantum:
                output.write(output.all) { player.render(into: &$0, volume: volume.ringer) }
                if case .lost(let code) = output.read(output.all, { playbackDevice.play($0, counters, at: now) }) {
                    lose(code)
                }
            }
        }
    }

    /// When to check without being woken; nil: there is nothing to do.
    private var deadline: Instant? {
        guard playbackDevice.stream != nil else { return retry }
        guard player.isActive else { return nil }
        let look = MonotonicClock.now() + Self.lookInterval
        return Instant.earliest(playbackDevice.pacer.due, playbackDevice.rest.end).map { min(look, $0) } ?? look
    }

    /// An idle device is not in poll, because it would always report room in its buffer.
    private mutating func sleep() {
        let stream = playbackDevice.watched(at: MonotonicClock.now())
        let (watched, deadline) = (player.isActive ? stream : nil, deadline)
        let isWoken = unsafe descriptors.withUnsafeMutableBufferPointer { all in
            unsafe all[0] = pollfd(fd: order.wake.descriptor, events: Int16(POLLIN), revents: 0)
            let end = unsafe 1 + (watched?.watch(UnsafeMutableBufferPointer(rebasing: all[1...])) ?? 0)
            guard let start = all.baseAddress else { return false }
            unsafe Poll.wait(start, count: end, until: deadline)
            if unsafe all[0].revents != 0 { order.wake.clear() }
            return unsafe watched?.acknowledge(UnsafeMutableBufferPointer(rebasing: all[1..<end])) ?? false
        }
        if isWoken { playbackDevice.wake() }
    }
}

/// The sound to ring, from the control thread to the thread that plays it. It is not a message, because only the newest
/// order counts. None may be lost: without the order for silence the phone would ring for ever.
final class RingOrder: Sendable {
    private let newest = Mutex(RingSound.nothing)
    /// Counts orders, so that the playing thread detects a new one without the lock. The initial silence counts as an
    /// order: a thread's first attempt at a lock allocates, and this makes that happen before a call runs.
    private let orders = Atomic<Int>(1)
    /// Wakes the playing thread.
    let wake: WakeSignal

    init(wake: WakeSignal) { self.wake = wake }

    func give(_ sound: RingSound) {
        newest.withLock { $0 = sound }
        orders.wrappingAdd(1, ordering: .releasing)
        wake.raise()
    }

    /// The newest order, if it is newer than the one that `last` counts. Never blocks. If another thread is giving an
    /// order at the same time, its wake-up brings the order.
    func take(after last: inout Int) -> RingSound? {
        let count = orders.load(ordering: .acquiring)
        guard count != last, let sound = newest.withLockIfAvailable({ $0 }) else { return nil }
        last = count
        return sound
    }
}

/// The sound that the ringer plays until the next order.
enum RingSound: Sendable {
    case nothing
    case tone(ToneSpec)
    /// Repeated until the next order. Never empty.
    case recording([Int16])
}
