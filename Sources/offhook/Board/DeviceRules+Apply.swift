import Base
import Glibc
import Platform

extension DeviceRules {
    /// Rules here are valid until the machine is switched off (udev(7)).
    private static let folder = "/run/udev/rules.d/"
    private static let udevadm = "/usr/bin/udevadm"

    /// Makes udev apply these rules, to present and future devices. Only root can. Does nothing if udev already has the
    /// same rules.
    func apply() throws(CommandError) {
        guard unsafe access("/run/udev/control", F_OK) == 0 else {
            throw CommandError(
                "udev does not run on this machine; add SupplementaryGroups=audio gpio i2c to the service's unit")
        }
        // Other users may read the new files, whatever the service's umask is.
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
            // Remove the file, so that the service's next start applies the rules.
            _ = unsafe unlink(path)
            throw error
        }
        let kinds = ["sound", "gpio", "i2c-dev"].map { "--subsystem-match=" + $0 }
        // A device that keeps udev busy must not prevent the phone's start.
        let limit = ["/usr/bin/timeout", "--signal=KILL", "20"]
        _ = try SystemCommand.output(of: limit + [Self.udevadm, "trigger", "--settle"] + kinds)
    }

    /// Requires that only root can write a file, because udev follows its text. A person who can write any folder above
    /// the file, or above a link's target, could replace the file.
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
        // In a folder such as /tmp, nobody can replace root's files (sticky bit).
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let isShared = status.st_mode & 0o022 != 0 && !(isFolder && status.st_mode & 0o1000 != 0)
        guard status.st_uid == 0, !isShared, isFolder || status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError(
                "\(path): only root may own and write it, because udev rules are made from it; run chown and chmod")
        }
    }
}
