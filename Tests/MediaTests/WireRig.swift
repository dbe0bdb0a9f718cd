import Glibc
import Media
import PhoneCore
import Synchronization

/// The sound devices of this test process: wires, reached through ALSA. Made once, before the first ALSA call.
final class WireRig: Sendable {
    /// Temporary faults of a device.
    enum Fault: String, CaseIterable {
        /// Every call to the device blocks, as in a library whose sound server has died.
        case hang
        /// Opening the device blocks.
        case hangopen
        /// Nothing moves.
        case still
        /// After the next opening, poll always reports the device as ready.
        case eager
        /// After the next opening it takes 100 ms at once.
        case coarse
    }

    /// One phone's ear and mouth, and the controls to break its device.
    struct Device: Sendable {
        let name: String
        let ear: WireFile
        let mouth: WireFile
        /// While this file exists the device is unplugged.
        let faultPath: String

        /// The values of its mixer's controls: Speaker's volume (of 64) and switch, Mic's volume (of 31) and switch.
        var controls: [Int32] {
            let bytes = TestFolder.bytes(faultPath + ".controls")
            return stride(from: 0, to: bytes.count, by: 4).map { Int32(bytes[$0]) }
        }

        func unplug() { close(unsafe open(faultPath, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }
        func plugIn() { _ = unsafe unlink(faultPath) }
        /// Another program has it, and gives it back.
        func take() { close(unsafe open(faultPath + ".busy", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }
        func release() { _ = unsafe unlink(faultPath + ".busy") }
        /// From now on an opened device has a buffer of some 5 ms.
        func shrink() { close(unsafe open(faultPath + ".small", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }
        func begin(_ fault: Fault) {
            close(unsafe open("\(faultPath).\(fault.rawValue)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        }
        func end(_ fault: Fault) { _ = unsafe unlink("\(faultPath).\(fault.rawValue)") }
        /// One overrun or underrun.
        func stumble() { close(unsafe open(faultPath + ".xrun", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }

        var settings: MediaSettings {
            var settings = MediaSettings(devices: [.handset: .init(capture: name, playback: name)])
            settings.bindAddress = "127.0.0.1"
            return settings
        }
    }

    static let installed = WireRig()
    private static let deviceCount = 512

    private let folder: String
    private let next = Mutex(0)

    private init() {
        folder = "/dev/shm/offhook-media-\(getpid())"
        unsafe mkdir(folder, 0o700)
        var text = "</usr/share/alsa/alsa.conf>\n"
        let library = Self.moduleFolder() + "/libasound_module_pcm_wire.so"
        for kind in ["pcm", "ctl"] { text += "\(kind)_type.wire { lib \"\(library)\" }\n" }
        for number in 0..<Self.deviceCount {
            let base = "\(folder)/w\(number)"
            text += "pcm.wire\(number) { type plug slave.pcm { type wire playback \"\(base).ear\" "
            text += "capture \"\(base).mouth\" fault \"\(base).fault\" } }\n"
            text += "ctl.wire\(number) { type wire file \"\(base).fault.controls\" }\n"
        }
        let path = folder + "/asound.conf"
        let descriptor = unsafe open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        let written = unsafe write(descriptor, text, text.utf8.count)
        precondition(written == text.utf8.count, "the ALSA configuration of the tests cannot be written")
        close(descriptor)
        unsafe setenv("ALSA_CONFIG_PATH", path, 1)
        // Like the program.
        unsafe setenv("LIBASOUND_THREAD_SAFE", "0", 1)
        atexit { WireRig.installed.remove() }
    }

    /// An unused device.
    func device() -> Device {
        let number = next.withLock { number in
            defer { number += 1 }
            return number
        }
        precondition(number < Self.deviceCount, "more devices than the rig has")
        let base = "\(folder)/w\(number)"
        return Device(
            name: "wire\(number)", ear: WireFile(path: base + ".ear"), mouth: WireFile(path: base + ".mouth"),
            faultPath: base + ".fault")
    }

    private func remove() {
        for number in 0..<Self.deviceCount {
            for suffix in ["ear", "mouth", "fault", "fault.xrun", "fault.small", "fault.controls"] {
                unsafe unlink("\(folder)/w\(number).\(suffix)")
            }
            for fault in Fault.allCases { unsafe unlink("\(folder)/w\(number).fault.\(fault.rawValue)") }
        }
        unsafe unlink(folder + "/asound.conf")
        unsafe rmdir(folder)
    }

    /// The folder of the test program and the wire's library.
    private static func moduleFolder() -> String {
        var path = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe path.withUnsafeMutableBytes { bytes -> Int in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe readlink("/proc/self/exe", start.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        precondition(count > 0, "the test program does not know where it is")
        let end = path[..<count].lastIndex(of: UInt8(ascii: "/")) ?? 0
        return String(decoding: path[..<end], as: UTF8.self)
    }
}
