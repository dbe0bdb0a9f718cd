import PhoneCore

/// The settings of the phone itself. Later releases read these names: names may be added, but never changed.
extension Database {
    private static let doNotDisturb = "phone.do-not-disturb"
    private static let callVolume = "phone.call-volume"
    private static let ringVolume = "phone.ring-volume"
    private static let wrongCodes = "phone.wrong-codes"
    private static let (on, off) = ("on", "off")

    func keep(_ settings: PhoneSettings) throws(SQLiteError) {
        try set(Database.doNotDisturb, to: settings.doNotDisturb ? Database.on : Database.off)
        try set(Database.callVolume, to: String(settings.callVolume))
        try set(Database.ringVolume, to: String(settings.ringVolume))
        try set(Database.wrongCodes, to: String(settings.wrongCodes))
    }

    /// A missing setting, or one with an unknown value, has the default of a new phone.
    func phoneSettings() throws(SQLiteError) -> PhoneSettings {
        var settings = PhoneSettings()
        settings.doNotDisturb = try setting(Database.doNotDisturb) == Database.on
        settings.callVolume = try volume(Database.callVolume) ?? settings.callVolume
        settings.ringVolume = try volume(Database.ringVolume) ?? settings.ringVolume
        settings.wrongCodes = try setting(Database.wrongCodes).flatMap { Int($0) }.map { max(0, $0) } ?? 0
        return settings
    }

    private func volume(_ name: String) throws(SQLiteError) -> Int? {
        try setting(name).flatMap { Int($0) }.flatMap { (0...PhoneSettings.loudest).contains($0) ? $0 : nil }
    }
}
