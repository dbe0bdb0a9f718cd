import Base
import Cryptography
import ICECore

/// Two phones, a server, the network between them, and one clock.
struct World: Sendable, CustomStringConvertible {
    private static let server = 100
    /// The delay of the phones' signalling.
    static let signalling: Duration = .milliseconds(30)

    let seed: UInt64
    var internet: Internet
    var phones: [SimulatedPhone] = []
    var server: STUNTURNServer
    private(set) var now = Instant.zero
    private var generator: SeededGenerator
    private var addresses: UInt8 = 1
    private var socketNumber = 0

    var description: String { "seed \(seed), \(internet.weather)" }

    init(seed: UInt64, weather: Internet.Weather = .init()) {
        self.seed = seed
        generator = SeededGenerator(seed: seed &* 31 &+ 7)
        internet = Internet(seed: seed, weather)
        server = STUNTURNServer(Self.endpoint("203.0.113.1", 3_478), seed: seed)
        internet.attach(Self.server, server.address.address, in: Internet.publicRealm)
    }

    static func endpoint(_ host: String, _ port: UInt16) -> TransportAddress {
        guard let address = IPAddress(host) else { preconditionFailure("no address: \(host)") }
        return TransportAddress(address, port)
    }

    // MARK: Building

    /// - Returns: The realm behind these NATs.
    mutating func realm(behind access: Access, in outer: Int = Internet.publicRealm) -> Int {
        access.nats.reduce(outer) { realm, behaviour in
            addresses += 1
            // Each inner network numbers its hosts like most homes, so addresses of two may be equal.
            let address = realm == Internet.publicRealm ? [198, 51, 100, addresses] : [100, 64, 0, addresses]
            return internet.add(behaviour, address: IPAddress(bytes: address) ?? .unspecified, in: realm)
        }
    }

    mutating func makeSocket(of phone: Int, in realm: Int, isFirewalled: Bool) -> HostSocket {
        addresses += 1
        socketNumber += 1
        let isPublic = realm == Internet.publicRealm || isFirewalled
        let bytes: [UInt8] = isPublic ? [198, 51, 100, addresses] : [192, 168, 1, addresses]
        let address = TransportAddress(IPAddress(bytes: bytes) ?? .unspecified, 40_000 + UInt16(socketNumber))
        internet.attach(phone, address.address, in: realm)
        return HostSocket(SocketID(rawValue: socketNumber), address)
    }

    /// - Returns: The phone's number.
    @discardableResult
    mutating func addPhone(
        _ access: Access, realm: Int? = nil, role: ICERole, isTrickling: Bool = true,
        _ change: (inout ICEAgent.Configuration) -> Void = { _ in }
    ) -> Int {
        let inner = realm ?? self.realm(behind: access)
        var configuration = ICEAgent.Configuration(
            stunServers: [server.address],
            turnServers: [
                TURNServer(server.address, .udp, STUNTURNServer.credentials),
                TURNServer(server.address, .tcp, STUNTURNServer.credentials),
            ])
        change(&configuration)
        let agent = ICEAgent(
            configuration, role: role, hashes: .real, generator: SeededGenerator(seed: generator.next()))
        phones.append(SimulatedPhone(agent, realm: inner, isTrickling: isTrickling))
        let number = phones.count - 1
        let isFirewalled = access.nats.contains { !$0.translates }
        phones[number].sockets = [makeSocket(of: number, in: inner, isFirewalled: isFirewalled)]
        return number
    }

    /// The first phone calls the second.
    mutating func call() {
        phones[0].isOfferer = true
        handle(.gather(phones[0].sockets), 0)
        offerIfReady(0)
    }

    // MARK: Time

    /// - Returns: Whether `isDone` held before `duration` was over.
    @discardableResult
    mutating func run(for duration: Duration, until isDone: (World) -> Bool = { _ in false }) -> Bool {
        let end = now + duration
        while !isDone(self) {
            let due = Instant.earliest(internet.deadline, phones.lazy.compactMap(\.agent.deadline).min())
            guard let due, due <= end else {
                now = end
                return isDone(self)
            }
            now = max(now, due)
            if let arrival = internet.deadline, arrival <= now, let entry = internet.next() {
                arrived(entry.arrival)
            } else {
                for number in phones.indices where phones[number].agent.deadline.map({ $0 <= now }) ?? false {
                    handle(.deadline, number)
                }
            }
        }
        return true
    }

    /// - Returns: Whether both ends have agreed on a path within 40 s.
    @discardableResult
    mutating func runUntilAgreed() -> Bool {
        run(for: .seconds(40)) { $0.phones.allSatisfy { $0.state == .completed } }
    }

    private mutating func arrived(_ arrival: Internet.Arrival) {
        switch arrival {
        case .packet(let packet, let realm): deliver(packet, realm)
        case .opened(let stream): handle(.streamOpened(stream.id), stream.phone)
        case .stream(let stream, let bytes):
            if stream.isToServer {
                carryOut(
                    server.received(
                        bytes, from: .stream(stream), seenAs: Self.endpoint("198.51.100.250", 5_000), at: now))
            } else if phones[stream.phone].streams.contains(stream.id) {
                handle(.streamReceived(bytes, stream.id), stream.phone)
            }
        // A phone that is alone has no signalling peer.
        case .signal(let phone, let signal): if phones.indices.contains(phone) { told(signal, phone) }
        }
    }

    private mutating func deliver(_ packet: Internet.Packet, _ realm: Int) {
        guard let (owner, packet) = internet.arrive(packet, in: realm, at: now) else { return }
        guard owner == Self.server else {
            let socket = phones[owner].sockets.first { $0.address == packet.destination }
            if let socket { handle(.received(packet.bytes, on: socket.id, from: packet.source), owner) }
            return
        }
        if packet.destination == server.address {
            carryOut(
                server.received(packet.bytes, from: .datagram(packet.source), seenAs: packet.source, at: now))
        } else {
            carryOut(server.relayed(packet, at: now))
        }
    }

    // MARK: Effects

    private mutating func carryOut(_ outputs: [STUNTURNServer.Output]) {
        for output in outputs {
            switch output {
            case .reply(.datagram(let client), let bytes):
                let packet = Internet.Packet(source: server.address, destination: client, bytes: bytes)
                internet.send(packet, from: Internet.publicRealm, at: now)
            case .reply(.stream(let stream), let bytes):
                let back = Internet.Stream(phone: stream.phone, id: stream.id, isToServer: false)
                internet.schedule(.stream(back, bytes), at: now + internet.streamDelay)
            case .relay(let packet) where packet.destination.address == server.address.address:
                // From one relayed address to another: it does not leave the machine.
                carryOut(server.relayed(packet, at: now))
            case .relay(let packet): internet.send(packet, from: Internet.publicRealm, at: now)
            }
        }
    }

    mutating func handle(_ event: ICEAgent.Event, _ number: Int) {
        for effect in phones[number].agent.handle(event, at: now) { carryOut(effect, number) }
    }

    private mutating func carryOut(_ effect: ICEAgent.Effect, _ number: Int) {
        switch effect {
        case .transmit(let bytes, let id, let destination):
            phones[number].sent[destination, default: 0] += bytes.count
            guard let socket = phones[number].sockets.first(where: { $0.id == id }) else { return }
            internet.send(
                .init(source: socket.address, destination: destination, bytes: bytes), from: phones[number].realm,
                at: now)
        case .openStream(let id, _):
            phones[number].streams.insert(id)
            let stream = Internet.Stream(phone: number, id: id, isToServer: true)
            internet.schedule(.opened(stream), at: now + internet.streamDelay * 2)
        case .write(let bytes, let id):
            let stream = Internet.Stream(phone: number, id: id, isToServer: true)
            internet.schedule(.stream(stream, bytes), at: now + internet.streamDelay)
        case .closeStream(let id): phones[number].streams.remove(id)
        case .candidate(let candidate): trickle(.candidate(candidate), number)
        case .endOfCandidates:
            trickle(.endOfCandidates, number)
            offerIfReady(number)
        case .resolve(let name): phones[number].resolves.append(name)
        case .path(let path): phones[number].note(path, at: now)
        case .restartAdvised: phones[number].advisedAt.append(now)
        case .relayEnded(_, let why): phones[number].relayEnds.append(why)
        case .state(let state): phones[number].note(state)
        case .received(let bytes): phones[number].heard.append(bytes)
        case .closed: phones[number].isClosed = true
        }
    }

    // MARK: Signalling

    private mutating func signal(_ signal: Internet.Signal, from number: Int) {
        internet.schedule(.signal(to: 1 - number, signal), at: now + Self.signalling)
    }

    private mutating func trickle(_ signal: Internet.Signal, _ number: Int) {
        if phones[number].isTrickling, phones[number].hasSentDescription { self.signal(signal, from: number) }
    }

    /// Sends offer or answer, as soon as possible.
    mutating func offerIfReady(_ number: Int) {
        let phone = phones[number]
        guard !phone.hasSentDescription, !phone.isHoldingDescription,
            phone.isTrickling || phone.agent.isGatheringComplete
        else { return }
        phones[number].hasSentDescription = true
        signal(
            .description(
                phone.agent.localCredentials, isLite: false, phone.agent.localCandidates,
                isComplete: phone.agent.isGatheringComplete, isOffer: phone.isOfferer), from: number)
    }

    private mutating func told(_ signal: Internet.Signal, _ number: Int) {
        switch signal {
        case .description(let credentials, let isLite, let candidates, let isComplete, let isOffer):
            if isOffer {
                phones[number].isOfferer = false
                phones[number].hasSentDescription = false
                let isFirst = phones[number].states.isEmpty
                // As in a phone that writes its answer to a restart before its agent learns of it.
                let answer = ICECredentials(using: &generator)
                handle(isFirst ? .gather(phones[number].sockets) : .renew(answer), number)
            }
            handle(
                .remote(
                    RemoteDescription(
                        credentials: credentials, isLite: isLite, candidates: candidates.map { RemoteCandidate($0) },
                        isComplete: isComplete)), number)
            if isOffer { offerIfReady(number) }
        case .candidate(let candidate): handle(.remoteCandidate(RemoteCandidate(candidate)), number)
        case .endOfCandidates: handle(.endOfRemoteCandidates, number)
        }
    }

    /// The phone finds itself in another network, and offers a restart from there.
    mutating func move(_ number: Int, to access: Access) {
        for socket in phones[number].sockets { internet.detach(socket.address.address, in: phones[number].realm) }
        phones[number].realm = realm(behind: access)
        let isFirewalled = access.nats.contains { !$0.translates }
        phones[number].sockets = [makeSocket(of: number, in: phones[number].realm, isFirewalled: isFirewalled)]
        restart(number)
    }

    mutating func restart(_ number: Int) {
        for phone in phones.indices { phones[phone].forgetTimes() }
        phones[number].isOfferer = true
        phones[number].hasSentDescription = false
        handle(.restart(phones[number].sockets), number)
        offerIfReady(number)
    }
}
