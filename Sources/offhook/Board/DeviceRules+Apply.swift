import Base
import Glibc

extension DeviceRules {
    /// What stands here counts until the machine is switched off (udev(7)).
    private static let folder = "/run/udev/rules.d/"

    /// Has udev follow these rules, for the devices that are there and for those that come. Only root can. Rules that udev
    /// follows already disturb no device again.
    func apply() throws(CommandError) {
        guard unsafe access("/run/udev/control", F_OK) == 0 else {
            throw CommandError("udev does not run on this machine")
        }
        let path = Self.folder + fileName
        guard try FileChange.text(of: path) != text else { return }
        _ = unsafe unlink(path)
        do throws(CommandError) {
            _ = try FileChange(path: path, before: nil, after: text).write()
            _ = try SystemCommand.output(of: ["udevadm", "control", "--reload"])
            let kinds = ["sound", "gpio", "i2c-dev"].map { "--subsystem-match=" + $0 }
            _ = try SystemCommand.output(of: ["udevadm", "trigger", "--settle"] + kinds)
        } catch {
            // So that they are applied when the service starts the next time.
            _ = unsafe unlink(path)
            throw error
        }
    }
}
