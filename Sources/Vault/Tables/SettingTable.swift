import PhoneCore

/// The table of settings: names and texts.
extension Database {
    func setting(_ name: String) throws(SQLiteError) -> String? {
        try rows("SELECT value FROM setting WHERE name = ?", [.text(name)]) { (row) throws(SQLiteError) in
            try row.text(0)
        }.first
    }

    /// Nil removes the setting.
    func set(_ name: String, to value: String?) throws(SQLiteError) {
        guard let value else { return try run("DELETE FROM setting WHERE name = ?", [.text(name)]) }
        try run("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [.text(name), .text(value)])
    }

    func settingCount() throws(SQLiteError) -> Int { Int(try number("SELECT count(*) FROM setting")) }
}

/// The settings of the phone itself. Later releases read these names: names may be added, but never changed.
extension Database {
    private static let doNotDisturb = "phone.do-not-disturb"
    private static let callVolume = "phone.call-volume"
    private static let ringVolume = "phone.ring-volume"
    private static let wrongCodes = "phone.wrong-codes"
    private static let wrongCodesByCaller = "phone.wrong-codes-by-caller"
    private static let (on, off) = ("on", "off")

    func keep(_ settings: PhoneSettings) throws(SQLiteError) {
        try set(Database.doNotDisturb, to: settings.doNotDisturb ? Database.on : Database.off)
        try set(Database.callVolume, to: String(settings.callVolume))
        try set(Database.ringVolume, to: String(settings.ringVolume))
        try set(Database.wrongCodes, to: String(settings.wrongCodes))
        let lines = (settings.wrongCodesByCaller ?? []).map(\.line)
        try set(Database.wrongCodesByCaller, to: lines.joined(separator: "\n"))
    }

    /// A missing setting, or one with an unknown value, has the default of a new phone.
    func phoneSettings() throws(SQLiteError) -> PhoneSettings {
        var settings = PhoneSettings()
        settings.doNotDisturb = try setting(Database.doNotDisturb) == Database.on
        settings.callVolume = try volume(Database.callVolume) ?? settings.callVolume
        settings.ringVolume = try volume(Database.ringVolume) ?? settings.ringVolume
        settings.wrongCodes = try setting(Database.wrongCodes).flatMap { Int($0) }.map { max(0, $0) } ?? 0
        let lines = try setting(Database.wrongCodesByCaller)?.split(separator: "\n") ?? []
        let known = lines.prefix(PhoneSettings.WrongCodes.mostKept).compactMap { PhoneSettings.WrongCodes(line: $0) }
        settings.wrongCodesByCaller = known.isEmpty ? nil : known
        return settings
    }

    private func volume(_ name: String) throws(SQLiteError) -> Int? {
        try setting(name).flatMap { Int($0) }.flatMap { (0...PhoneSettings.loudest).contains($0) ? $0 : nil }
    }
}

extension PhoneSettings.WrongCodes {
    /// Relay, count, number and domain, separated by tabs. The last two may be empty.
    fileprivate var line: String { "\(relay)\t\(count)\t\(caller.number ?? "")\t\(caller.domain ?? "")" }

    /// Nil for an unknown line.
    fileprivate init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 4, let relay = UInt8(fields[0]), let count = Int(fields[1]), count > 0,
            !fields[2].isEmpty || !fields[3].isEmpty
        else { return nil }
        let caller = ListedCaller(
            fields[2].isEmpty ? nil : fields[2], domain: fields[3].isEmpty ? nil : fields[3])
        self.init(relay: relay, caller: caller, count: count)
    }
}
