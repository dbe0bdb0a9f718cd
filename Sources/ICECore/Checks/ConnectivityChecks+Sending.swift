import Base

/// Our checks and their results (RFC 8445 §7.2).
extension ConnectivityChecks {
    /// Sends the next check, if there is one. The owner keeps the pace.
    mutating func sendNext(at now: Instant) {
        guard hasWork else { return }
        while !triggered.isEmpty {
            let pair = triggered.removeFirst()
            guard let index = index(of: pair) else { continue }
            return check(index, nominating == pair ? .nomination : .check, at: now)
        }
        guard selected == nil, let index = nextOrdinary else { return }
        check(index, .check, at: now)
    }

    private mutating func check(_ index: Int, _ purpose: CheckTransaction.Purpose, at now: Instant) {
        // RFC 8445 §14.3: the more checks there are, the longer each waits for its repetition.
        let pending = pairs.count { $0.state == .waiting || $0.state == .inProgress }
        let timeout = max(ICETiming.retransmission, ICETiming.pace * pending)
        if pairs[index].state != .succeeded { pairs[index].state = .inProgress }
        ask(pairs[index], purpose, .check(at: now, timeout: timeout))
    }

    mutating func ask(
        _ pair: CandidatePair, _ purpose: CheckTransaction.Purpose, _ retransmission: STUNRetransmission
    ) {
        guard let remote else { return }
        var request = STUNMessage(.request, id: .init(using: &generator))
        let prospect = CandidateKind.peerReflexive.priority(localPreference: pair.local.localPreference)
        request.attributes = [
            .init(AttributeType.username, remote.userFragment + ":" + local.userFragment),
            .init(AttributeType.priority, number: prospect),
            .init(
                role == .controlling ? AttributeType.iceControlling : AttributeType.iceControlled, number: tieBreaker),
        ]
        if purpose == .nomination { request.attributes.append(.init(AttributeType.useCandidate, [])) }
        let bytes = request.bytes(provenBy: remote.key, hashes)
        if transactions.count >= ICETiming.transactionLimit {
            transactions.remove(at: transactions.firstIndex(where: \.isCancelled) ?? 0)
        }
        transactions.append(
            CheckTransaction(
                id: request.id, pair: pair.id, purpose: purpose, role: role, bytes: bytes,
                retransmission: retransmission))
        sent.append(Packet(bytes: bytes, base: pair.local.base, destination: pair.remote.address))
    }

    mutating func repeatChecks(at now: Instant) {
        for index in transactions.indices.reversed() {
            let transaction = transactions[index]
            switch transactions[index].retransmission.advance(to: now) {
            case .wait: break
            case .send:
                guard !transaction.isCancelled, let pair = self.index(of: transaction.pair) else { break }
                sent.append(
                    Packet(
                        bytes: transaction.bytes, base: pairs[pair].local.base,
                        destination: pairs[pair].remote.address))
            case .timedOut:
                transactions.remove(at: index)
                if !transaction.isCancelled { failed(transaction) }
            }
        }
    }

    // MARK: Answers

    /// - Returns: Whether it answers one of these checks.
    mutating func answered(
        _ answer: STUNMessage, _ bytes: [UInt8], on base: ICEBase, from source: TransportAddress, at now: Instant
    ) -> Bool {
        guard let index = transactions.firstIndex(where: { $0.id == answer.id }), let remote else { return false }
        guard answer.method == STUNMessage.binding, let proven = answer.proven(by: remote.key, in: bytes, hashes) else {
            census.unproven += 1
            return true
        }
        let transaction = transactions.remove(at: index)
        guard let pair = self.index(of: transaction.pair) else { return true }
        // RFC 8445 §7.2.5.2.1: an answer from elsewhere shows a path that does not work in both directions.
        guard pairs[pair].local.base == base, pairs[pair].remote.address == source else {
            failed(transaction)
            return true
        }
        if proven.kind == .success, let mapped = proven.mappedAddress {
            succeeded(transaction, pair, mapped: mapped, at: now)
        } else if proven.errorCode == 487, transaction.purpose != .consent {
            yield(transaction, pair)
        } else {
            failed(transaction)
        }
        return true
    }

    private mutating func succeeded(
        _ transaction: CheckTransaction, _ index: Int, mapped: TransportAddress, at now: Instant
    ) {
        let local = pairs[index].local
        pairs[index].consentedAt = now
        pairs[index].mapped = known(mapped, local) ?? discover(mapped, local)
        guard transaction.purpose != .consent else { return }
        if pairs[index].state != .succeeded {
            pairs[index].state = .succeeded
            firstValidAt = firstValidAt ?? now
            triggered.removeAll { $0 == transaction.pair }
            cancelChecks(of: transaction.pair)
            unfreeze(pairs[index].foundation)
        }
        if role == .controlling, transaction.role == .controlling, transaction.purpose == .nomination {
            nominating = nil
            nominate(index, at: now)
        } else if role == .controlled, pairs[index].isToBeNominated {
            nominate(index, at: now)
        }
    }

    private func known(_ address: TransportAddress, _ local: LocalCandidate) -> Candidate? {
        locals.first { $0.candidate.address == address && $0.base == local.base }?.candidate
    }

    /// RFC 8445 §7.2.5.3.1: adds a local address that only the far end can see.
    private mutating func discover(_ address: TransportAddress, _ local: LocalCandidate) -> Candidate {
        let candidate = Candidate(
            foundation: "p" + local.candidate.foundation,
            priority: CandidateKind.peerReflexive.priority(localPreference: local.localPreference), address: address,
            kind: .peerReflexive, related: local.candidate.address)
        add(LocalCandidate(candidate: candidate, base: local.base, localPreference: local.localPreference))
        return candidate
    }

    /// RFC 8445 §7.2.5.1: both ends have the same role. The far end keeps it, and we change ours.
    private mutating func yield(_ transaction: CheckTransaction, _ index: Int) {
        census.roleConflicts += 1
        if transaction.role == role, !isRemoteLite {
            become(role.other)
            tieBreaker = .random(in: .min ... .max, using: &generator)
        }
        enqueue(index)
    }

    func isQueued(_ pair: Int) -> Bool { triggered.contains(pair) }

    /// Puts the pair into the triggered queue, before ordinary checks.
    mutating func enqueue(_ index: Int) {
        if pairs[index].state != .succeeded { pairs[index].state = .waiting }
        if !isQueued(pairs[index].id) { triggered.append(pairs[index].id) }
    }

    mutating func cancelChecks(of pair: Int) {
        for index in transactions.indices
        where transactions[index].pair == pair && transactions[index].purpose == .check {
            transactions[index].isCancelled = true
        }
    }

    private mutating func failed(_ transaction: CheckTransaction) {
        guard transaction.purpose != .consent, let index = index(of: transaction.pair) else { return }
        if transaction.purpose == .nomination { nominating = nil }
        // An earlier answer may have shown that the pair works. A failed nomination shows that it does not.
        guard pairs[index].state != .succeeded || transaction.purpose == .nomination,
            selected != transaction.pair
        else { return }
        pairs[index].state = .failed
    }
}
