import Base
import Media
import Panel
import PhoneCore
import SoundCore

extension Settings {
    /// The machine's policy, made from the configuration.
    /// - Parameter keys: The keys that the board has.
    package func policy(accounts: AccountLabels, keys: Set<Key>) throws(UnknownAccount) -> PhonePolicy {
        var policy = PhonePolicy()
        policy.takeLimits(configuration)
        policy.takeRinging(configuration)
        policy.takePanel(configuration, keys)
        try policy.takeAccounts(configuration.calls, accounts)
        for (number, relay) in configuration.relays.sorted(by: { $0.key < $1.key }) {
            policy.relays[number] = try relay.policy(number, accounts)
        }
        for (input, alarm) in configuration.alarms { policy.alarms[input] = try alarm.policy(input, accounts) }
        return policy
    }

    /// The policy of a phone with this board.
    package func policy(accounts: AccountLabels, board: PanelLayout) throws -> PhonePolicy {
        try check(board)
        return try policy(accounts: accounts, keys: board.allKeys)
    }

    /// The policy of a phone with this board and these lines.
    func policy(_ plan: LinePlan, board: PanelLayout) throws -> PhonePolicy {
        var policy = try policy(accounts: plan.accounts, board: board)
        policy.accounts = plan.all
        policy.withoutTransfer = plan.withoutTransfer.isEmpty ? nil : plan.withoutTransfer
        return policy
    }

    /// Rejects a configuration that names a part that the board does not have.
    func check(_ board: PanelLayout) throws {
        let inputs = board.inputs.map(\.key)
        if let stranger = configuration.alarms.first(where: { !inputs.contains($0.key) })?.key {
            throw UnknownInput(name: stranger, known: inputs)
        }
        for number in configuration.relays.keys.sorted() where number > board.relays.count {
            let known =
                switch board.relays.count {
                case 0: "no relay"
                case 1: "only relay 1"
                case let count: "relays 1 to \(count)"
                }
            let fault = configuration.fault(
                "relays", entry: "\(number)",
                "the board has \(known); remove this relay, or add its line to panel.relays in \(boardFile)")
            if let fault { throw fault }
        }
    }

    /// The settings of Media, with those of each line.
    func media(ice: [AccountID: ICESettings]) -> MediaSettings {
        var settings = media
        settings.ice = ice
        return settings
    }

    /// The settings of Media, made from the configuration.
    package var media: MediaSettings {
        var settings = MediaSettings(devices: [:])
        for (route, device) in configuration.sound.devices {
            settings.devices[route] = MediaSettings.Device(
                capture: device.capture, playback: device.playback, processing: device.processing,
                mixer: device.mixer)
        }
        settings.firstRoute = configuration.sound.defaultRoute
        settings.periodMilliseconds = Int(configuration.sound.period.milliseconds)
        settings.country = configuration.sound.country
        settings.ports = configuration.media.firstPort...configuration.media.lastPort
        // A socket bound to `::` also carries IPv4, under IPv4-mapped addresses (RFC 4291 §2.5.5.2).
        settings.bindAddress = configuration.sip.addresses.last ?? settings.bindAddress
        settings.opusComplexity = configuration.media.complexity
        settings.certificate = configuration.media.certificate
        settings.recording = recording
        settings.playingFolder = playingFolder
        settings.ringer = ringer
        settings.holdMusic = holdMusic
        if let paging = configuration.paging {
            settings.pages = paging.groups.map(\.media)
            settings.pageRoute = paging.route
        }
        return settings
    }
}

extension PhonePolicy {
    fileprivate mutating func takeLimits(_ configuration: Configuration) {
        let calls = configuration.calls
        maximumCalls = calls.maximum
        ringingInTime = calls.ringTimeout
        ringingOutTime = calls.dialTimeout
        maximumCallTime = calls.maximumLength
        followsTransfers = calls.followTransfers
        transferTargets = calls.transferTargets
        mixesCalls = calls.conference
        recordsCalls = calls.recording != nil
        playsFiles = calls.playing != nil
        playsHoldMusic = configuration.sound.holdMusic != nil
        paging = configuration.paging?.policy
        soundTest = configuration.sound.selfTest?.policy
        dtmf = calls.dtmf
        keepsNoHistory = calls.keepsHistory ? nil : true
        hasBackend = configuration.backend == nil ? nil : true
        silenceTime = configuration.media.silenceTimeout
        networkTime = configuration.network.timeout
        reconnectTime = configuration.network.reconnectTimeout
        dialPlan = calls.dialPlan
        shortNumbers = Set(calls.shortNumbers)
    }

    fileprivate mutating func takeRinging(_ configuration: Configuration) {
        let calls = configuration.calls
        announcer = calls.announce
        ringCadence = PhoneCore.RingCadence(
            configuration.sound.country.plan.ring.milliseconds.map { .milliseconds($0) })
        rings = calls.rings
        declinedAs = calls.declineAs
        blocked = calls.blocked
        blocksWithheld = calls.blocksWithheld
        autoAnswer = calls.autoAnswer ?? autoAnswer
    }

    fileprivate mutating func takePanel(_ configuration: Configuration, _ keys: Set<Key>) {
        let panel = configuration.panel
        defaultRoute = configuration.sound.defaultRoute
        flash = panel.flash.times(keys: keys)
        displayLanguage = panel.language
        onHookDeclines = panel.onHookDeclines
        digitTime = panel.digitTime
        offHookTime = panel.offHookTime
        congestionTime = panel.congestionTime
        howlerTime = panel.howlerTime
        handsFreeToneTime = panel.handsFreeToneTime
    }

    fileprivate mutating func takeAccounts(
        _ calls: CallsSection, _ accounts: AccountLabels
    ) throws(UnknownAccount) {
        if let label = calls.account {
            defaultAccount = try accounts.account(label, key: "calls.account")
        } else {
            defaultAccount = accounts.accounts.first?.id ?? .direct
        }
        for (index, label) in calls.lineKeys.enumerated() {
            lineKeys.append(try accounts.account(label, key: "calls.line_keys[\(index + 1)]"))
        }
        for (label, ring) in calls.accountRings {
            accountRings[try accounts.account(label, key: "calls.account_rings")] = ring
        }
        for (label, code) in calls.pickupCodes {
            pickupCodes[try accounts.account(label, key: "calls.pickup_codes")] = code
        }
        for (label, organization) in calls.organizations {
            let account = try accounts.account(label, key: "calls.organizations")
            organisations = (organisations ?? [:]).merging([account: OrganisationID(organization)]) { _, last in last }
        }
        for (label, number) in calls.voicemail {
            voicemail[try accounts.account(label, key: "calls.voicemail")] = number
        }
        for (number, dial) in calls.speedDials.sorted(by: { $0.key < $1.key }) {
            speedDials[number] = try dial.dial("calls.speed_dials.\(number)", accounts)
        }
        if !calls.organizationKeys.isEmpty {
            organisationKeys = calls.organizationKeys.mapValues { OrganisationID($0) }
        }
    }
}
