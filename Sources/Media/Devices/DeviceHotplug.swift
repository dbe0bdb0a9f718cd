import Base
import CALSA
import Glibc
import PhoneCore
import Platform

/// The routes that take the sound when their device appears, and whether their devices are present. For a thread that
/// may wait.
///
/// Only a device that was seen to be absent can arrive. A device that broke, or that opens and does not work, is still
/// present; otherwise it would take the sound again and again. The kernel reports changes of cards (`DeviceWatch`).
/// Other devices, such as Bluetooth's, and all absent ones are checked at intervals.
struct DeviceHotplug {
    private enum Attachment {
        case away
        case there(isCard: Bool)

        var isWatched: Bool { if case .there(isCard: true) = self { true } else { false } }
    }

    private let devices: [Route: MediaSettings.Device]
    private let interval: Duration
    private var attachments: [Route: Attachment] = [:]
    /// When to check the devices of which no change is reported; nil: there are none.
    private(set) var next: Instant?

    init(_ settings: MediaSettings) {
        devices = settings.devices.filter { [.headset, .bluetooth].contains($0.key) }
        interval = settings.retryInterval
    }

    /// Checks for the first time. A device that is present now has not arrived.
    mutating func begin() {
        for (route, device) in devices { attachments[route] = Self.look(at: device) ?? .there(isCard: false) }
        plan()
    }

    /// The route's device broke or cannot be opened.
    mutating func lost(_ route: Route) {
        guard let device = devices[route] else { return }
        if case .away = Self.look(at: device) {
            attachments[route] = .away
        } else {
            attachments[route] = .there(isCard: false)
        }
        plan()
    }

    /// The route's device was opened, so it is present.
    mutating func opened(_ route: Route) {
        if case .away = attachments[route] { attachments[route] = .there(isCard: false) }
    }

    /// - Parameters:
    ///   - wanted: the route that is in use or being tried; it is not checked.
    ///   - isTold: cards may have come or gone.
    /// - Returns: The routes whose device arrived, in the order of `Route`.
    mutating func look(except wanted: Route?, isTold: Bool) -> [Route] {
        var came: [Route] = []
        for route in Route.allCases where route != wanted {
            guard let device = devices[route], let before = attachments[route], isTold || !before.isWatched,
                let now = Self.look(at: device)
            else { continue }
            if case .away = before, case .there = now { came.append(route) }
            attachments[route] = now
        }
        plan()
        return came
    }

    private mutating func plan() {
        next = attachments.values.allSatisfy(\.isWatched) ? nil : MonotonicClock.now() + interval
    }

    /// Nil when another program or this one uses the device, because its state is then unknown.
    private static func look(at device: MediaSettings.Device) -> Attachment? {
        let earpiece = open(device.playback, .playback)
        guard case .there = earpiece else { return earpiece }
        return open(device.capture, .capture)
    }

    private static func open(_ name: String, _ direction: SoundStream.Direction) -> Attachment? {
        do throws(SoundStream.OpenFailure) {
            let raw = unsafe try SoundStream.openDevice(name, direction)
            defer { unsafe snd_pcm_close(raw) }
            return unsafe .there(isCard: KernelPlace(of: raw, direction) != nil)
        } catch {
            return error.code == -EBUSY ? nil : .away
        }
    }
}
