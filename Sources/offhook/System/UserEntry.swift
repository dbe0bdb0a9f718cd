import Glibc

/// A user of this machine, by name.
struct UserEntry: Equatable {
    let identifier: uid_t
    let group: gid_t
    /// All groups of the user.
    let groups: Set<gid_t>

    /// Nil: the user does not exist.
    init?(_ name: String) {
        guard let entry = unsafe getpwnam(name) else { return nil }
        unsafe (identifier, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        var groups = [gid_t](repeating: 0, count: 64)
        var count = Int32(groups.count)
        let found = unsafe getgrouplist(name, group, &groups, &count)
        self.groups = Set(groups.prefix(max(0, Int(found))))
    }

    /// Whether the user may read a file with this status.
    func mayRead(_ status: stat) -> Bool {
        if identifier == 0 { return true }
        if status.st_uid == identifier { return status.st_mode & S_IRUSR != 0 }
        if groups.contains(status.st_gid) { return status.st_mode & S_IRGRP != 0 }
        return status.st_mode & S_IROTH != 0
    }
}
