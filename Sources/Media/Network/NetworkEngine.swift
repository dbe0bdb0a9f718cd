import Base
import CALSA  // For poll.h.
import Glibc
import Platform
import Synchronization

/// The network thread. It sleeps on the sockets of all calls except those whose voice the audio thread has. It passes
/// arriving voice to the audio thread and lends it the voice of active calls, and it does RTCP.
///
/// Confined to its thread. After the first packets of a call our code here does not allocate, lock or log.
struct NetworkEngine: ~Copyable {
    /// Limit of datagrams taken from one socket before the next has its turn, so that a flood does not starve other
    /// calls.
    private static let burst = 32
    private static let datagramLimit = 2_048
    private static let retryInterval = Duration.milliseconds(20)
    /// How long a returned voice is not lent again. Without a pause, packets with ever other SSRCs would make the two
    /// threads wake each other for each of them.
    private static let loanPause = Duration.milliseconds(20)

    private let commands: ThreadQueue<NetworkOrder>
    /// Voices that it lends to the audio thread.
    private let voices: ThreadQueue<Borrowed<CallMedia>>
    private let wake: WakeSignal
    private let stop: StopFlag
    private let context: NetworkContext
    private let pages: PageListener
    private var calls: [Borrowed<CallMedia>] = []
    /// Calls that were removed while the audio thread had their voice, or was about to get it.
    private var leaving: [Borrowed<CallMedia>] = []
    /// Calls that were removed but not yet reported as dropped. Their sockets and keys stay until the report.
    private var untold: [UInt32] = []
    /// The wake-up signal, then the sockets of the page groups, then the voice socket and the control socket of each
    /// call.
    private var descriptors: [pollfd] = []
    private let bytes = Workspace<UInt8>(count: datagramLimit, filler: 0)

    init(
        commands: ThreadQueue<NetworkOrder>, voices: ThreadQueue<Borrowed<CallMedia>>, wake: WakeSignal, stop: StopFlag,
        context: NetworkContext, pages: [PageMedia]
    ) {
        self.commands = commands
        self.voices = voices
        self.wake = wake
        self.stop = stop
        self.context = context
        self.pages = PageListener(pages)
        calls.reserveCapacity(MediaSettings.callLimit)
        leaving.reserveCapacity(MediaSettings.callLimit)
        untold.reserveCapacity(MediaSettings.callLimit)
        descriptors.reserveCapacity(1 + pages.count + 2 * MediaSettings.callLimit)
    }

    mutating func run() {
        listen()
        while !stop.isRaised {
            sleep()
            context.probe.answer()
            takeCommands()
            tellDropped()
            servePages()
            for index in calls.indices { calls[index].use { serve($0, at: index) } }
            lendVoices()
        }
    }

    /// The next time at which something is due without a packet.
    private var deadline: Instant? {
        let now = MonotonicClock.now()
        var next = untold.isEmpty ? pages.deadline(at: now) : now + Self.retryInterval
        for index in calls.indices {
            if let due = calls[index].use({ $0.rtcp.deadline }) { next = min(next ?? due, due) }
        }
        return next
    }

    private mutating func sleep() {
        let (deadline, count) = (deadline, descriptors.count)
        unsafe descriptors.withUnsafeMutableBufferPointer {
            guard let start = $0.baseAddress else { return }
            _ = unsafe Poll.wait(start, count: count, until: deadline)
        }
        if descriptors[0].revents != 0 { wake.clear() }
    }

    private mutating func takeCommands() {
        while let order = commands.receive() {
            let now = MonotonicClock.now()
            switch order {
            case .call(let command): take(command, at: now)
            case .voice(let call): takeBack(call, at: now)
            }
        }
    }

    private mutating func take(_ command: CallCommand, at now: Instant) {
        switch command {
        case .add(let call):
            calls.append(call)
            listen()
        case .activate(let call):
            call.use { $0.rtcp.activate(at: now) }
        case .agree(let call, let next):
            next.use { next in
                call.use { call in
                    call.rtcp.takeHeard(call.port, context)
                    call.rtcp.agree(next, at: now)
                    if call.rtcp.hasVoice { call.input.follow(next, call.port, at: now) }
                    context.tell(.settled(call: call.handle, negotiated: next.number))
                }
            }
            listen()
        case .drop(let call):
            calls.removeAll { $0 === call }
            listen()
            if call.use({ $0.rtcp.hasVoice }) { call.use { leave($0, at: now) } } else { leaving.append(call) }
        }
    }

    /// Gives the voices of all calls that allow it to the audio thread. From then on this thread uses only the other
    /// parts of the calls.
    private mutating func lendVoices() {
        let now = MonotonicClock.now()
        for index in calls.indices {
            let call = calls[index]
            let isDue = call.use { call in
                call.rtcp.hasVoice && call.rtcp.isActive && call.rtcp.lendsFrom <= now
                    && call.input.isReady(for: call.rtcp.negotiated)
            }
            guard isDue else { continue }
            call.use { $0.rtcp.hasVoice = false }
            if voices.send(call) { listen() } else { call.use { $0.rtcp.hasVoice = true } }
        }
    }

    /// The audio thread has returned a call's voice.
    private mutating func takeBack(_ call: Borrowed<CallMedia>, at now: Instant) {
        call.use { ($0.rtcp.hasVoice, $0.rtcp.lendsFrom) = (true, now + Self.loanPause) }
        guard !leaving.contains(where: { $0 === call }) else {
            leaving.removeAll { $0 === call }
            return call.use { leave($0, at: now) }
        }
        call.use { call in
            call.input.follow(call.rtcp.negotiated, call.port, at: now)
            call.input.takeWaiting(call.port, call.rtcp.negotiated, context.voice)
        }
        listen()
    }

    private mutating func leave(_ call: CallMedia, at now: Instant) {
        call.rtcp.takeHeard(call.port, context)
        bytes.write(bytes.all) { call.rtcp.sendReport(&$0, call.port, context, isGoodbye: true, at: now) }
        untold.append(call.handle)
    }

    /// Reports calls that no real-time thread uses any more.
    private mutating func tellDropped() {
        while let handle = untold.last, context.reports.send(.dropped(call: handle)) { untold.removeLast() }
    }

    /// Sets the descriptors on which the thread sleeps. Capacity was reserved, so nothing allocates.
    private mutating func listen() {
        descriptors.removeAll(keepingCapacity: true)
        descriptors.append(pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0))
        pages.listen(&descriptors)
        for index in calls.indices {
            calls[index].use { call in
                let (isVoice, isControl) = (
                    call.rtcp.hasVoice, call.rtcp.hasVoice || !call.rtcp.negotiated.usesControlPort
                )
                // poll ignores negative descriptors.
                let sockets = (isVoice ? call.sockets.voice : -1, isControl ? call.sockets.control : -1)
                descriptors.append(pollfd(fd: sockets.0, events: Int16(POLLIN), revents: 0))
                descriptors.append(pollfd(fd: sockets.1, events: Int16(POLLIN), revents: 0))
            }
        }
    }

    private func servePages() {
        guard pages.count > 0 else { return }
        pages.serve(burst: Self.burst, context) { descriptors[1 + $0].revents != 0 }
    }

    private func serve(_ call: CallMedia, at index: Int) {
        let place = 1 + pages.count + 2 * index
        if call.rtcp.hasVoice {
            Borrowed(call.rtcp.negotiated).use { terms in
                if descriptors[place].revents != 0 || terms.path?.isRelayed == true {
                    _ = call.input.receive(call.port, terms, context.voice)
                }
                if terms.usesControlPort, descriptors[place + 1].revents != 0 {
                    _ = call.input.receive(call.port, terms, isOnControl: true, context.voice)
                }
            }
        }
        bytes.write(bytes.all) { span in
            if descriptors[place + 1].revents != 0 { readControl(call, &span) }
            call.rtcp.receiveMultiplexed(in: &span, call.port, context)
            call.rtcp.takeHeard(call.port, context)
            call.rtcp.tick(&span, call.port, context, at: MonotonicClock.now())
        }
    }

    private func readControl(_ call: CallMedia, _ bytes: inout MutableSpan<UInt8>) {
        guard !call.rtcp.negotiated.usesControlPort else { return }
        for _ in 0..<Self.burst {
            let next = MediaSockets.receive(on: call.sockets.control, port: call.sockets.port + 1, into: &bytes)
            guard let arrival = next else { return }
            call.rtcp.receive(arrival.count, from: arrival.sender, in: &bytes, call.port, context, at: arrival.at)
        }
    }
}

/// Values that the parts of the network thread share.
struct NetworkContext: Sendable {
    let reports: ThreadQueue<Report>
    let probe: ThreadProbe
    let counters: MediaCounters
    /// CNAME, for RTCP.
    let canonicalName: [UInt8]

    /// For calls whose voice the network thread has.
    let voice: VoiceContext

    init(reports: ThreadQueue<Report>, probe: ThreadProbe, counters: MediaCounters, canonicalName: [UInt8]) {
        (self.reports, self.probe, self.counters, self.canonicalName) = (reports, probe, counters, canonicalName)
        voice = VoiceContext(reports: reports, counters: counters, networkWake: nil, opensNewSources: true)
    }

    func tell(_ report: Report) {
        if !reports.send(report) { counters.messagesLost.count() }
    }
}
