import Base
import Glibc
import Platform

extension DeviceRules {
    /// What stands here counts until the machine is switched off (udev(7)).
    private static let folder = "/run/udev/rules.d/"
    private static let udevadm = "/usr/bin/udevadm"

    /// Has udev follow these rules, for the devices that are there and for those that come. Only root can. Rules that udev
    /// follows already are left alone.
    func apply() throws(CommandError) {
        guard unsafe access("/run/udev/control", F_OK) == 0 else {
            throw CommandError("udev does not run here: the service needs SupplementaryGroups=audio gpio i2c")
        }
        // Others may read what it makes, whatever the service's umask is.
        _ = umask(0o022)
        try Uninterrupted.run { () throws(CommandError) in try write() }
    }

    private func write() throws(CommandError) {
        let path = Self.folder + fileName
        guard try FileChange.text(of: path) != text else { return }
        _ = unsafe unlink(path)
        do throws(CommandError) {
            _ = try FileChange(path: path, before: nil, after: text).write()
            _ = try SystemCommand.output(of: [Self.udevadm, "control", "--reload"])
        } catch {
            // So that they are applied when the service starts the next time.
            _ = unsafe unlink(path)
            throw error
        }
        let kinds = ["sound", "gpio", "i2c-dev"].map { "--subsystem-match=" + $0 }
        // A device that keeps udev busy keeps no phone from starting.
        let limit = ["/usr/bin/timeout", "--signal=KILL", "20"]
        _ = try SystemCommand.output(of: limit + [Self.udevadm, "trigger", "--settle"] + kinds)
    }

    /// Root reads no file for others that they could not read themselves. Whoever may write a folder above the file, or
    /// above what a link leads to, can put another file into its place.
    package static func requireRoots(_ path: String) throws(CommandError) {
        guard let real = unsafe realpath(path, nil) else { throw CommandError("\(path): \(SystemError.last)") }
        defer { unsafe free(real) }
        for name in [unsafe String(cString: real), path] {
            var place = name.hasPrefix("/") ? name : "./" + name
            while true {
                try requireRootsAlone(place)
                guard place != "/", place != ".", let slash = place.lastIndex(of: "/") else { break }
                place = slash == place.startIndex ? "/" : String(place[..<slash])
            }
        }
    }

    private static func requireRootsAlone(_ path: String) throws(CommandError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw CommandError("\(path): \(SystemError.last)") }
        // In a folder such as /tmp nobody can replace what is root's (sticky bit).
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let isShared = status.st_mode & 0o022 != 0 && !(isFolder && status.st_mode & 0o1000 != 0)
        guard status.st_uid == 0, !isShared, isFolder || status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError("\(path): it is to be root's alone, as udev is told what it says")
        }
    }
}
