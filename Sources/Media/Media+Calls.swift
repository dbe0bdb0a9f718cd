import Base
import Cryptography
import PhoneCore
import Synchronization

/// The state of a call as the control thread knows it.
enum CallEntry: Sendable {
    case open(LocalEndpoint, microphoneIsOpen: Bool)
    case connected(CallMedia, PreparedMedia)
}

extension Media.State {
    func ice(of account: AccountID) -> ICESettings { ice[account] ?? ICESettings() }
}

extension Media {
    /// Binds the call's sockets. Without ICE the call is open at once. With ICE it is open when the candidates are
    /// gathered. With trickle ICE the candidates of this machine's own addresses are enough.
    /// - Parameter threads: Nil: they do not exist yet, so the call does not use ICE.
    func open(_ id: CallID, _ account: AccountID, _ threads: MediaThreads?, _ state: inout State) -> [MediaEvent] {
        guard state.calls[id] == nil else { return [] }
        guard state.calls.count < MediaSettings.callLimit else {
            return [.failed(id, MediaError.tooManyCalls(MediaSettings.callLimit).description)]
        }
        do throws(MediaError) {
            let sockets = try MediaSockets(
                address: settings.bindAddress, ports: settings.ports, start: .random(in: 0...UInt16.max))
            var local = LocalEndpoint(sockets: sockets, source: newSource(), certificate: try ownCertificate())
            let ice = state.ice(of: account)
            threads?.forwarder.prepareSRTP()
            if let connector = threads?.connector, ice.isDemanded || ice.policy == .answered && id.origin != .phone {
                sockets.tellLocal()
                let connectivity = Connectivity(id, ice, sockets, connectorWake: connector.wake)
                local.connectivity = connectivity
                state.calls[id] = .open(local, microphoneIsOpen: true)
                connector.gather(connectivity)
                return []
            }
            state.calls[id] = .open(local, microphoneIsOpen: true)
            return [.opened(id, local.endpoint())]
        } catch {
            return [.failed(id, error.description)]
        }
    }

    func newSource() -> MediaSource {
        MediaSource(ssrc: .random(in: 1...UInt32.max), canonicalName: canonicalName)
    }

    /// Makes a certificate for one call, if the settings ask for one per call.
    private func ownCertificate() throws(MediaError) -> DTLSContext? {
        guard settings.certificate == .call, identity != nil else { return nil }
        do throws(OpenSSLError) {
            return try DTLSContext(DTLSIdentity.make())
        } catch {
            throw .badPlan("cannot make a certificate for the call: \(error)")
        }
    }

    /// Connects the call. If its keys come from a handshake, `ready` follows when the keys are there.
    func connect(
        _ id: CallID, _ negotiated: NegotiatedMedia, _ threads: MediaThreads, _ state: inout State
    ) -> [MediaEvent] {
        switch state.calls[id] {
        case nil: return []
        // A second answer to the same offer brings new terms. It does not start another call.
        case .connected: return update(id, negotiated, threads, &state) + readiness(of: id, state)
        case .open(let local, let microphoneIsOpen):
            let connectivity = local.connectivity
            do throws(MediaError) {
                guard negotiated.ice == nil || connectivity != nil else {
                    throw .badPlan("ICE, but this phone gathered no candidates")
                }
                let handshakes = try threads.handshakes(for: negotiated, insteadOf: nil)
                let (call, prepared) = try make(.call(id), negotiated, local, handshakes: handshakes, &state)
                call.gauges.microphoneIsOpen.store(microphoneIsOpen, ordering: .relaxed)
                registry.enter(call, prepared)
                guard threads.commands.send(.call(.add(Borrowed(call)))) else {
                    registry.remove(call.handle)
                    throw .stalled
                }
                state.calls[id] = .connected(call, prepared)
                if let connectivity { threads.connector.attach(connectivity) }
                threads.connect(call, prepared, insteadOf: nil)
                return readiness(of: id, state)
            } catch {
                return [.failed(id, error.description)]
            }
        }
    }

    private func readiness(of id: CallID, _ state: State) -> [MediaEvent] {
        guard case .connected(_, let prepared) = state.calls[id], prepared.mayExchange else { return [] }
        return [.ready(id)]
    }

    func activate(_ id: CallID, _ audio: ThreadQueue<AudioOrder>, _ state: State) -> [MediaEvent] {
        guard case .connected(let call, _) = state.calls[id] else { return [] }
        return send(.activate(Borrowed(call)), id, audio)
    }

    func update(
        _ id: CallID, _ negotiated: NegotiatedMedia, _ threads: MediaThreads, _ state: inout State
    ) -> [MediaEvent] {
        guard case .connected(let call, let previous) = state.calls[id] else { return [] }
        do throws(MediaError) {
            let handshakes = try threads.handshakes(for: negotiated, insteadOf: previous.handshakes)
            let prepared = try PreparedMedia(
                negotiated, number: previous.number + 1, source: call.source, settings: settings,
                isIPv6: call.sockets.isIPv6, previous: previous, handshakes: handshakes)
            let events = agree(prepared, id, call, threads, &state)
            threads.connect(call, prepared, insteadOf: previous)
            return events
        } catch {
            return [.failed(id, error.description)]
        }
    }

    /// Makes the call's threads use these terms from now on.
    func agree(
        _ prepared: PreparedMedia, _ id: CallID, _ call: CallMedia, _ threads: MediaThreads, _ state: inout State
    ) -> [MediaEvent] {
        registry.add(prepared, to: call.handle)
        state.calls[id] = .connected(call, prepared)
        return send(.agree(Borrowed(call), Borrowed(prepared)), id, threads.commands)
    }

    func join(_ id: CallID, _ isJoined: Bool, _ audio: ThreadQueue<AudioOrder>, _ state: State) -> [MediaEvent] {
        guard case .connected(let call, _) = state.calls[id] else { return [] }
        if !audio.send(.conference(Borrowed(call), joined: isJoined)) { counters.messagesLost.count() }
        return []
    }

    func setMicrophone(_ id: CallID, _ isOpen: Bool, _ state: inout State) -> [MediaEvent] {
        switch state.calls[id] {
        case nil: break
        case .open(let local, _): state.calls[id] = .open(local, microphoneIsOpen: isOpen)
        case .connected(let call, _): call.gauges.microphoneIsOpen.store(isOpen, ordering: .relaxed)
        }
        return []
    }

    func playMusic(_ id: CallID, _ isOn: Bool, _ state: State) -> [MediaEvent] {
        guard case .connected(let call, _) = state.calls[id] else { return [] }
        call.gauges.playsMusic.store(isOn, ordering: .relaxed)
        return []
    }

    /// Queues a sequence of digits completely or not at all. The last digit reports the end, so it must not be lost.
    func send(_ elements: [DTMFElement], inBand: Bool, on id: CallID, _ state: State) -> [MediaEvent] {
        guard case .connected(let call, _) = state.calls[id], !elements.isEmpty else { return [] }
        guard call.port.digits.count + elements.count <= CallPort.digitCapacity else {
            counters.messagesLost.count()
            return []
        }
        for (index, element) in elements.enumerated() {
            _ = call.port.digits.push(Digit(element, isInBand: inBand, isLast: index == elements.count - 1))
        }
        return []
    }

    func release(_ id: CallID, _ threads: MediaThreads, _ state: inout State) -> [MediaEvent] {
        let entry = state.calls.removeValue(forKey: id)
        if case .open(let local, _) = entry, let connectivity = local.connectivity {
            threads.connector.release(connectivity)
        }
        guard case .connected(let call, let prepared) = entry else { return [] }
        if prepared.handshake != nil { threads.connector.end(call.handle, .voice) }
        if prepared.controlHandshake != nil { threads.connector.end(call.handle, .control) }
        if let connectivity = call.connectivity { threads.connector.release(connectivity) }
        call.gauges.microphoneIsOpen.store(false, ordering: .relaxed)
        registry.release(call.handle)
        return send(.drop(Borrowed(call)), id, threads.commands)
    }

    /// Starts a recording. Media always posts its end, also when it fails.
    func record(_ id: CallID, _ threads: MediaThreads, _ state: State) -> [MediaEvent] {
        guard let recorder = threads.recorder, let requested = settings.recording else {
            return [.recordingEnded(id, .failed("no folder is configured for recordings"))]
        }
        guard case .connected(let call, _) = state.calls[id] else {
            return [.recordingEnded(id, .failed("\(id) has no media to record"))]
        }
        let recording = Recording(call: id, handle: call.handle, quantum: settings.quantum, beep: requested.beep)
        guard threads.commands.send(.record(Borrowed(recording))) else {
            return [.recordingEnded(id, .failed(MediaError.stalled.description))]
        }
        recorder.take(recording)
        return []
    }

    /// Starts to play a file. Media always posts the end, also when it fails.
    func play(_ wanted: Playback, _ threads: MediaThreads, _ state: State) -> [MediaEvent] {
        guard let player = threads.player else {
            return [.playbackEnded(wanted.number, .failed("no folder is configured for files to play"))]
        }
        guard case .connected(let call, _) = state.calls[wanted.call] else {
            return [.playbackEnded(wanted.number, .failed("\(wanted.call) has no media to play into"))]
        }
        let file = PlayedFile(wanted, handle: call.handle)
        guard threads.commands.send(.play(Borrowed(file))) else {
            return [.playbackEnded(wanted.number, .failed(MediaError.stalled.description))]
        }
        player.take(file)
        return []
    }

    /// Gathers this phone's candidates again for a connected call (ICE restart).
    func gather(_ id: CallID, _ threads: MediaThreads, _ state: State) -> [MediaEvent] {
        guard case .connected(let call, _) = state.calls[id], let connectivity = call.connectivity else { return [] }
        threads.connector.gather(connectivity)
        return []
    }

    func make(
        _ owner: CallMedia.Owner, _ negotiated: NegotiatedMedia, _ local: LocalEndpoint, isReported: Bool = true,
        handshakes: Handshake.Pair? = nil, _ state: inout State
    ) throws(MediaError) -> (CallMedia, PreparedMedia) {
        guard registry.count < MediaSettings.callLimit else { throw .tooManyCalls(MediaSettings.callLimit) }
        let prepared = try PreparedMedia(
            negotiated, number: 0, source: local.source.ssrc, settings: settings, isIPv6: local.sockets.isIPv6,
            previous: nil, isReported: isReported, handshakes: handshakes)
        let call = try CallMedia(
            owner: owner, handle: state.nextHandle, local: local, negotiated: prepared, settings: settings)
        state.nextHandle += 1
        return (call, prepared)
    }

    private func send(_ command: CallCommand, _ id: CallID, _ audio: ThreadQueue<AudioOrder>) -> [MediaEvent] {
        if audio.send(.call(command)) { return [] }
        counters.messagesLost.count()
        return [.failed(id, MediaError.stalled.description)]
    }
}
