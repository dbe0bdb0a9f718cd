import Media
import Testing

@Suite
struct HostPlacesTests {
    private func numbers(_ places: HostPlaces<String>) -> [String: Int] {
        places.all.reduce(into: [:]) { $0[$1.address] = $1.number }
    }

    @Test
    func addressKeepsItsNumberWhenEarlierOneAppears() throws {
        var places = HostPlaces<String>()
        places.take(["wlan"])
        let wlan = try #require(numbers(places)["wlan"])
        places.take(["eth", "wlan"])
        #expect(places.all.map(\.address) == ["eth", "wlan"], "the machine's order is kept")
        #expect(numbers(places)["wlan"] == wlan && numbers(places)["eth"] != wlan)
        #expect(places.address(of: wlan) == "wlan")
    }

    @Test
    func addressKeepsItsNumberWhenEarlierOneGoes() throws {
        var places = HostPlaces<String>()
        places.take(["eth", "wlan"])
        let before = numbers(places)
        let eth = try #require(before["eth"])
        let wlan = try #require(before["wlan"])
        places.take(["wlan"])
        #expect(numbers(places) == ["wlan": wlan])
        #expect(places.address(of: eth) == nil && places.address(of: wlan) == "wlan")
    }

    @Test
    func returningAddressTakesNoUsedNumber() throws {
        var places = HostPlaces<String>()
        places.take(["eth", "wlan"])
        let before = numbers(places)
        places.take(["wlan", "mobile"])
        let mobile = try #require(numbers(places)["mobile"])
        #expect(!before.values.contains(mobile))
        places.take(["eth", "wlan", "mobile"])
        let after = numbers(places)
        let eth = try #require(after["eth"])
        #expect(after["wlan"] == before["wlan"] && after["mobile"] == mobile)
        #expect(!before.values.contains(eth) && eth != mobile)
    }

    @Test
    func repeatedAddressCountsOnce() {
        var places = HostPlaces<String>()
        places.take(["eth", "eth"])
        #expect(places.all.count == 1)
    }
}
