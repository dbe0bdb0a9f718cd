/// The numbers of our addresses in one call.
///
/// The machine lists its addresses in an order of its own, and one that comes or goes moves all behind it. To the
/// agent, an address with another number is another socket, and the path on the one before is lost. So an address keeps
/// its number for as long as it is there, and no number is given twice.
package struct HostPlaces<Address: Equatable & Sendable>: Sendable {
    package struct Place: Equatable, Sendable {
        package let number: Int
        package let address: Address
    }

    /// The places of all addresses, in the order in which the machine listed them last.
    package private(set) var all: [Place] = []
    private var next = 0

    package init() {}

    /// These are the addresses now.
    package mutating func take(_ addresses: [Address]) {
        var places: [Place] = []
        for address in addresses where !places.contains(where: { $0.address == address }) {
            if let known = all.first(where: { $0.address == address }) {
                places.append(known)
            } else {
                places.append(Place(number: next, address: address))
                next += 1
            }
        }
        all = places
    }

    /// Nil: it is there no more.
    package func address(of number: Int) -> Address? { all.first { $0.number == number }?.address }
}
