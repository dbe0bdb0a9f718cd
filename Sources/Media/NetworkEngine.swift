import Base
import CALSA  // For poll.h, which it brings.
import Glibc

/// The network thread: sleeps on the sockets of all calls, gives what arrives to the audio
/// thread, and sends what that has said.
///
/// Confined to its thread. Nothing of ours here allocates, locks or logs once a call's first packets have passed.
struct NetworkEngine: ~Copyable {
    /// Datagrams taken from one socket before the next has its turn, so that a flood starves nobody.
    private static let burst = 32
    private static let datagramLimit = 2_048

    private let commands: Mailbox<CallCommand>
    private let wake: WakeSignal
    private let stop: StopFlag
    private let context: NetworkContext
    private var calls: [CallMedia] = []
    /// The wake-up signal, then voice and control of each call.
    private var descriptors: [pollfd] = []
    private let bytes = Workspace<UInt8>(count: datagramLimit, filler: 0)

    init(commands: Mailbox<CallCommand>, wake: WakeSignal, stop: StopFlag, context: NetworkContext) {
        self.commands = commands
        self.wake = wake
        self.stop = stop
        self.context = context
        calls.reserveCapacity(MediaSettings.callLimit)
        descriptors.reserveCapacity(1 + 2 * MediaSettings.callLimit)
        listen()
    }

    mutating func run() {
        while !stop.isRaised {
            sleep()
            takeCommands()
            for index in calls.indices { serve(index) }
        }
    }

    private mutating func sleep() {
        let deadline = calls.lazy.map { $0.desk.deadline }.min()
        let count = descriptors.count
        unsafe descriptors.withUnsafeMutableBufferPointer {
            guard let start = $0.baseAddress else { return }
            _ = unsafe Poll.wait(start, count: count, until: deadline)
        }
        if descriptors[0].revents != 0 { wake.clear() }
    }

    private mutating func takeCommands() {
        while let command = commands.receive() {
            let now = MonotonicClock.now()
            switch command {
            case .add(let reference):
                calls.append(reference.call)
                listen()
            case .activate(let reference):
                reference.call.desk.activate(at: now)
            case .agree(let reference, let next):
                let call = reference.call
                call.desk.agree(next.agreement, at: now)
                context.tell(.settled(call: call.handle, agreement: next.agreement.number))
            case .drop(let reference):
                drop(reference.call, at: now)
            }
        }
    }

    private mutating func drop(_ call: CallMedia, at now: Instant) {
        bytes.write(bytes.all) { call.desk.sendReport(&$0, call, context, isGoodbye: true, at: now) }
        calls.removeAll { $0 === call }
        listen()
        context.tell(.dropped(call: call.handle))
    }

    /// Which descriptors are slept on. Capacity was reserved: nothing allocates.
    private mutating func listen() {
        descriptors.removeAll(keepingCapacity: true)
        descriptors.append(pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0))
        for call in calls {
            descriptors.append(pollfd(fd: call.sockets.voice, events: Int16(POLLIN), revents: 0))
            descriptors.append(pollfd(fd: call.sockets.control, events: Int16(POLLIN), revents: 0))
        }
    }

    private func serve(_ index: Int) {
        let call = calls[index]
        bytes.write(bytes.all) { span in
            if descriptors[1 + 2 * index].revents != 0 { readVoice(call, &span) }
            if descriptors[2 + 2 * index].revents != 0 { readControl(call, &span) }
            call.desk.send(call, &span, context)
            call.desk.tick(&span, call, context, at: MonotonicClock.now())
        }
    }

    private func readVoice(_ call: CallMedia, _ bytes: inout MutableSpan<UInt8>) {
        for _ in 0..<Self.burst {
            guard let (count, sender) = MediaSockets.receive(on: call.sockets.voice, into: &bytes) else { return }
            call.desk.receiveVoice(count, from: sender, in: &bytes, call, context, at: MonotonicClock.now())
        }
    }

    private func readControl(_ call: CallMedia, _ bytes: inout MutableSpan<UInt8>) {
        for _ in 0..<Self.burst {
            guard let (count, sender) = MediaSockets.receive(on: call.sockets.control, into: &bytes) else { return }
            call.desk.receiveControl(count, from: sender, in: &bytes, call, context, at: MonotonicClock.now())
        }
    }
}
