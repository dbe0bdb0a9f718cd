import PhoneCore

extension PhoneFigures {
    /// Puts the figures on a page.
    /// - Parameter names: The names of accounts.
    public func write(to page: inout MetricPage, names: LineNames) {
        writeAccounts(to: &page, names)
        page.add(.networkUp, network == .disconnected ? 0 : 1)
        page.add(.faults, faults)
        for (result, count) in switches.sorted(by: { $0.key < $1.key }) {
            page.add(.organisationSwitches, count, result)
        }
        page.add(.signInNeeded, isSignInNeeded ? 1 : 0)
        page.add(.callsCurrent, calls.count)
        for direction in CallSummary.Direction.allCases {
            for outcome in Outcome.allCases {
                let count = results[Result(direction: direction, outcome: outcome)] ?? 0
                page.add(.calls, count, direction.rawValue, outcome.rawValue)
            }
        }
        for (reason, count) in ends.sorted(by: { $0.key < $1.key }) { page.add(.callEnds, count, reason) }
        // A series that begins with its first call would hide that call from increase().
        for reason in MissedReason.allCases.map(\.code).sorted() { page.add(.callsMissed, missed[reason] ?? 0, reason) }
        for protection in CallProtection.allCases {
            page.add(.callsProtected, protections[protection] ?? 0, protection.rawValue)
        }
        for reason in CallRefusal.allCases { page.add(.callsRefused, refused[reason] ?? 0, reason.rawValue) }
        for result in CodeResult.allCases { page.add(.codes, codes[result] ?? 0, result.rawValue) }
        for (route, verdict) in soundTests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for one in SoundTestVerdict.allCases {
                page.add(.soundTest, one == verdict ? 1 : 0, route.rawValue, one.rawValue)
            }
        }
        page.add(.announceTime, times.announce)
        page.add(.answerTime, times.answer)
        page.add(.callTime, times.length)
        page.add(.opinionScore, voice.opinionScore)
        page.add(.jitter, voice.jitter)
        page.add(.roundTrip, voice.roundTrip)
        page.add(.loss, voice.loss)
        page.add(.concealment, voice.concealment)
        page.add(.bufferLevel, voice.bufferLevel)
    }

    private func writeAccounts(to page: inout MetricPage, _ names: LineNames) {
        for (account, state) in registrations.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let name = names[account]
            for code in RegistrationState.codes {
                page.add(.registration, state.code == code ? 1 : 0, name, code)
            }
            page.add(.registrationFailures, registrationFailures[account] ?? 0, name)
        }
        for (account, count) in messagesWaiting.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            page.add(.messagesWaiting, count, names[account])
        }
    }
}
