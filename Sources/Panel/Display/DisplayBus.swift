/// The bus to a display's controller. Confined to the display's thread.
package protocol DisplayBus: Sendable {
    /// Opens the bus and finds the device.
    func open() throws(DisplayError)
    /// - Parameter bytes: 1...33 of them, in one transfer.
    func write(_ bytes: [UInt8]) throws(DisplayError)
    func close()
}
