/// Every probability of a world, by name; values that vary between worlds (weather, clumsiness, the enemy's luck) are
/// part of the plan. A failure prints them beside its seed, because a seed is valid for one table only.
package enum Chance: String, CaseIterable, Sendable {
    // MARK: Properties and fates of a phone
    case serverVouchesForFrom, contactsBounce, contextIsLost, diskIsFull, memoryComesFirst, codeIsForAnotherAccount,
        codeHasDirections, relayWorksOnce, answersByItself, answersOnlyWhenAsked, followsNoTransfers,
        listsNoTransferTargets, listsTheFirstPhone, listsAnotherDomain

    // MARK: The world, its server and its backend
    case outageIsABlip, mediaFindsNoKeys, mediaFindsNoPort, callIsToldAfterwards, organisationIsUnnamed,
        organisationIsHome, callIsNamed, callerIsNamed, endIsTold, endIsToldSoon, messageIsRepeated,
        repetitionIsInvalid, numberIsDecorated, switchIsQuick, switchIsForgotten, switchFails, hasBackend, hasMatrix,
        answerIsForgotten, signInIsRefused, personNeverComes, credentialsAreRenewed, backendForgetsThePhone,
        asksTheBackend,
        serverChallenges, serverNamesCalls, weatherIsBad, besiegedServerChallenges, besiegedAccountIsOverTLS,
        mixesCalls, routeIsHandset, hasFlash, onHookDeclines, bothAnnounce, callsAreLimited, dialPlanIsOpen,
        somebodyIsBlocked, somebodyIsAnswered,
        dtmfIsAutomatic, gatewayOffersTwice

    // MARK: The enemy
    case trickIsAChallenge, enemyAsksForAnAnswer, enemyDialsCodes, enemyForgesWhatItSaw, enemyForgesAResponse,
        enemySendsVoiceOnly

    // MARK: People
    case reactsAtOnce, answersByName, fiddles, clearsMissedCalls, rests, transfersByKey, transfersUnnamed,
        endsTheNumber, dialsByUsualAccount, dialsItself, namesNoCall, asksForUsualAccount, mutes, sendsDigits,
        wantsNoDisturbance, wantsTheOtherOrganisation, comesBack

    /// How often it happens, of a hundred times.
    var percent: Int {
        switch self {
        case .diskIsFull, .mediaFindsNoKeys, .mediaFindsNoPort: 1
        case .contextIsLost: 3
        case .reactsAtOnce, .switchIsForgotten, .backendForgetsThePhone: 5
        case .dialsItself, .rests, .somebodyIsBlocked: 8
        case .answerIsForgotten, .gatewayOffersTwice, .repetitionIsInvalid: 10
        case .hasMatrix: 12
        case .messageIsRepeated: 15
        case .callsAreLimited, .clearsMissedCalls, .codeIsForAnotherAccount, .followsNoTransfers, .listsAnotherDomain,
            .listsNoTransferTargets, .numberIsDecorated, .onHookDeclines, .somebodyIsAnswered, .switchFails,
            .wantsNoDisturbance:
            20
        case .asksTheBackend, .fiddles, .personNeverComes, .signInIsRefused: 25
        case .besiegedAccountIsOverTLS, .codeHasDirections, .relayWorksOnce, .serverChallenges, .trickIsAChallenge: 30
        case .callIsToldAfterwards, .enemyDialsCodes, .mixesCalls, .outageIsABlip: 40
        case .answersByName, .answersOnlyWhenAsked, .besiegedServerChallenges, .dialPlanIsOpen, .dtmfIsAutomatic,
            .enemyAsksForAnAnswer, .listsTheFirstPhone, .memoryComesFirst, .mutes, .namesNoCall, .organisationIsUnnamed,
            .credentialsAreRenewed, .enemySendsVoiceOnly, .sendsDigits, .serverNamesCalls, .serverVouchesForFrom,
            .transfersUnnamed,
            .wantsTheOtherOrganisation:
            50
        case .enemyForgesAResponse, .hasBackend, .transfersByKey, .weatherIsBad: 60
        case .answersByItself, .callIsNamed, .endIsToldSoon, .endsTheNumber, .hasFlash, .organisationIsHome: 70
        case .asksForUsualAccount, .bothAnnounce, .callerIsNamed, .contactsBounce, .dialsByUsualAccount, .endIsTold,
            .enemyForgesWhatItSaw:
            80
        case .comesBack, .switchIsQuick: 85
        case .routeIsHandset: 90
        }
    }

    /// All of them, for people.
    package static var table: String { allCases.map { "\($0.rawValue) \($0.percent) %" }.joined(separator: ", ") }
}
