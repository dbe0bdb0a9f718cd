import Base
import CALSA
import Glibc
import PhoneCore
import Platform

/// The routes that take the sound when their device appears, and whether their devices are present. For a thread that
/// may wait.
///
/// Only a device that was seen to be absent can arrive. A device that broke, or that opens but does not work, is still
/// present; otherwise it would take the sound again and again.
///
/// The kernel reports changes of cards (`DeviceWatch`), also while the phone has no sound. Other devices, such as
/// Bluetooth's, and all absent ones are checked only while the phone has sound: at its start and at intervals.
struct DeviceHotplug {
    /// The result of a check.
    enum Change: Equatable {
        case arrived(Route)
        /// It is present, but its arrival was not seen: it may have been there before the sound began.
        case present(Route)
        case left(Route)
    }

    private enum Attachment {
        case away
        case there(isCard: Bool)
        /// Another program or this phone uses the device.
        case taken

        var isWatched: Bool { if case .there(isCard: true) = self { true } else { false } }
    }

    private let devices: [Route: MediaSettings.Device]
    private let interval: Duration
    private var attachments: [Route: Attachment] = [:]
    /// Whether devices other than cards may have come unnoticed, because the phone had no sound.
    private var isRested = true
    /// When to check the devices whose changes nobody reports; nil: there are no such devices.
    private(set) var next: Instant?

    init(_ settings: MediaSettings) {
        devices = settings.devices.filter { $0.key.isRemovable }
        interval = settings.retryInterval
    }

    /// Checks for the first time.
    /// - Returns: The routes whose device is present. A wired headset comes last, so that it wins over a Bluetooth
    ///   headset.
    mutating func begin() -> [Route] {
        for (route, device) in devices { attachments[route] = Self.look(at: device) }
        plan()
        return Route.allCases.reversed().filter { if case .there = attachments[$0] { true } else { false } }
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
    /// - Returns: Whether its presence was unknown.
    mutating func opened(_ route: Route) -> Bool {
        switch attachments[route] {
        case nil, .there: return false
        case .away, .taken:
            attachments[route] = .there(isCard: false)
            return true
        }
    }

    /// The sound ends. Until it begins again, only the kernel reports devices.
    mutating func rest() {
        isRested = true
        if next != nil { next = .zero }
    }

    /// - Parameters:
    ///   - wanted: the route that is in use or being tried; it is not checked. Nil: the phone has no sound.
    ///   - isTold: cards may have come or gone.
    /// - Returns: What changed, in the order of `Route`.
    mutating func look(except wanted: Route?, isTold: Bool) -> [Change] {
        var changes: [Change] = []
        for route in Route.allCases where route != wanted {
            guard let device = devices[route], let before = attachments[route], isTold || !before.isWatched
            else { continue }
            let now = Self.look(at: device)
            switch (before, now) {
            case (_, .taken): continue  // Its state is unknown.
            case (.away, .there): changes.append(isRested && !isTold ? .present(route) : .arrived(route))
            case (.taken, .there): changes.append(.present(route))
            case (.there, .away): changes.append(.left(route))
            case (.there, .there), (.away, .away), (.taken, .away): break
            }
            attachments[route] = now
        }
        if wanted != nil { isRested = false }
        plan()
        return changes
    }

    private mutating func plan() {
        next = attachments.values.allSatisfy(\.isWatched) ? nil : MonotonicClock.now() + interval
    }

    private static func look(at device: MediaSettings.Device) -> Attachment {
        let earpiece = open(device.playback, .playback)
        guard case .there = earpiece else { return earpiece }
        return open(device.capture, .capture)
    }

    private static func open(_ name: String, _ direction: SoundStream.Direction) -> Attachment {
        do throws(SoundStream.OpenFailure) {
            let raw = unsafe try SoundStream.openDevice(name, direction)
            defer { unsafe snd_pcm_close(raw) }
            return unsafe .there(isCard: KernelPlace(of: raw, direction) != nil)
        } catch {
            return error.code == -EBUSY ? .taken : .away
        }
    }
}

/// Reports when sound cards come, go or become usable. The kernel and udev change a folder, and inotify reports that.
///
/// Without inotify it never reports anything. Confined to one thread.
final class DeviceWatch: Sendable {
    /// Nil without inotify.
    private let owned: FileDescriptor?
    /// The descriptor for poll; negative without inotify.
    let descriptor: Int32
    /// The folder of the devices, and its parent, because the folder appears only with the first card.
    private let folders: [String]

    /// - Parameter folder: the folder of the devices, an absolute path. It need not exist yet.
    init(folder: String) {
        let above = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        folders = [folder, above]
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        owned = descriptor < 0 ? nil : FileDescriptor(owning: descriptor)
        look()
    }

    /// Reads what inotify reported. Call this when poll reports the descriptor.
    func clear() {
        var bytes = InlineArray<1_024, UInt8>(repeating: 0)
        while unsafe withUnsafeMutableBytes(of: &bytes, { unsafe read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
        look()
    }

    /// Watches the folders. A folder that is already watched stays watched.
    private func look() {
        guard descriptor >= 0 else { return }
        // A device is created before udev permits its use, so watch changes of attributes, too.
        let told = UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO | IN_DELETE)
        for folder in folders { _ = unsafe inotify_add_watch(descriptor, folder, told) }
    }
}
