import Base
import CALSA
import Glibc
import PhoneCore
import Platform

/// The routes that take the sound when their device appears: which of them are there. For a thread that may wait.
///
/// Only what was seen to be away can come: a device that broke, or that opens and does not work, is still there, and would
/// pull the voice back again and again. Of cards the kernel tells (`DeviceWatch`); others, as Bluetooth's, and whatever is away,
/// are looked at now and then.
struct DeviceHotplug {
    private enum RTPInactivityTimer {
        case away
        case there(isCard: Bool)

        var isWatched: Bool { if case .there(isCard: true) = self { true } else { false } }
    }

    private let devices: [Route: MediaSettings.Device]
    private let interval: Duration
    private var presences: [Route: RTPInactivityTimer] = [:]
    /// When those are to be looked at of which nobody tells.
    private(set) var next: Instant?

    init(_ settings: MediaSettings) {
        devices = settings.devices.filter { [.headset, .bluetooth].contains($0.key) }
        interval = settings.retryInterval
    }

    /// Looks for the first time: what is there has not come.
    mutating func begin() {
        for (route, device) in devices { presences[route] = Self.look(at: device) ?? .there(isCard: false) }
        plan()
    }

    /// It broke, or cannot be opened.
    mutating func lost(_ route: Route) {
        guard let device = devices[route] else { return }
        if case .away = Self.look(at: device) {
            presences[route] = .away
        } else {
            presences[route] = .there(isCard: false)
        }
        plan()
    }

    /// It was opened, so it is there whatever it was.
    mutating func opened(_ route: Route) {
        if case .away = presences[route] { presences[route] = .there(isCard: false) }
    }

    /// - Parameters:
    ///   - wanted: is in use, or being tried.
    ///   - isTold: cards may have come or gone.
    /// - Returns: Those that came, in the order of `Route`.
    mutating func look(except wanted: Route?, isTold: Bool) -> [Route] {
        var came: [Route] = []
        for route in Route.allCases where route != wanted {
            guard let device = devices[route], let before = presences[route], isTold || !before.isWatched,
                let now = Self.look(at: device)
            else { continue }
            if case .away = before, case .there = now { came.append(route) }
            presences[route] = now
        }
        plan()
        return came
    }

    private mutating func plan() {
        next = presences.values.allSatisfy(\.isWatched) ? nil : MonotonicClock.now() + interval
    }

    /// Nil when another program has it, or we have: nobody knows how long.
    private static func look(at device: MediaSettings.Device) -> RTPInactivityTimer? {
        let ear = open(device.playback, .playback)
        guard case .there = ear else { return ear }
        return open(device.capture, .capture)
    }

    private static func open(_ name: String, _ direction: SoundStream.Direction) -> RTPInactivityTimer? {
        do throws(SoundStream.OpenFailure) {
            let raw = unsafe try SoundStream.openDevice(name, direction)
            defer { unsafe snd_pcm_close(raw) }
            return unsafe .there(isCard: KernelPlace(of: raw, direction) != nil)
        } catch {
            return error.code == -EBUSY ? nil : .away
        }
    }
}
