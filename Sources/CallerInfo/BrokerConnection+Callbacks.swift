import CMosquitto
import CallerInfoCore
import Cryptography
import Glibc

/// What libmosquitto reports while it reads or writes, on the connection's thread.
extension BrokerConnection {
    /// - Precondition: The connection outlives the library's handle.
    func listen() {
        unsafe library.user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        unsafe library.connect_with_flags_callback_set(handle) { _, owner, code, _ in
            unsafe BrokerConnection.of(owner)?.greeting = code
        }
        unsafe library.disconnect_callback_set(handle) { _, owner, code in
            // Smaller codes are errors of the library.
            if code >= 0x80 { unsafe BrokerConnection.of(owner)?.farewell = code }
        }
        unsafe library.subscribe_callback_set(handle) { _, owner, _, count, grants in
            unsafe BrokerConnection.of(owner)?.granted = count > 0 ? grants?[0] : nil
        }
        unsafe library.message_callback_set(handle) { _, owner, message in
            guard let message = unsafe message?.pointee else { return }
            unsafe BrokerConnection.of(owner)?.receive(message)
        }
        unsafe library.log_callback_set(handle) { _, owner, level, text in
            guard level & CMOSQUITTO_LOG_ERROR != 0, let text = unsafe text else { return }
            unsafe BrokerConnection.of(owner)?.complain(String(cString: text))
        }
    }

    private static func of(_ owner: UnsafeMutableRawPointer?) -> BrokerConnection? {
        unsafe owner.map { unsafe Unmanaged<BrokerConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Handles a message before its acknowledgement, which is queued, is sent.
    private func receive(_ message: mosquitto_message) {
        messages += 1
        tls.forgetBytes()
        // The library reads on while data is there; without a connection it stops.
        guard !isUnsettled, messages <= Self.mostMessages else { return cut() }
        let length = unsafe max(0, Int(message.payloadlen))
        let payload = unsafe UnsafeRawBufferPointer(
            start: message.payload, count: message.payload == nil ? 0 : min(length, CallerInfoIntake.longestMessage))
        let topic = unsafe message.topic.map { unsafe String(cString: $0) } ?? ""
        if !take(Message(topic: topic, payload: unsafe Array(payload), length: length)) {
            isUnsettled = true
            cut()
        }
    }

    private func cut() { _ = unsafe shutdown(library.socket(handle), Int32(SHUT_RDWR)) }

    /// Keeps the first complaint, which is nearest to the cause: `OpenSSL Error[0]: error:0A000086:SSL routines::…`.
    private func complain(_ text: String) {
        guard complaint == nil else { return }
        complaint = text.split(separator: ":").last.map(String.init) ?? text
    }
}
