import Media
import PhoneCore
import Synchronization
import Testing

extension RealTime {
    /// The controls of a card's own mixer.
    @Suite
    struct CardMixerTests {
        @Test
        func controlsAreSetWhenDeviceOpens() throws {
            let phone = try TestPhone { settings in
                settings.devices[.handset]?.mixer = ["Speaker": 50, "Mic": 100]
            }
            #expect(phone.device.controls.isEmpty, "nothing is touched before")
            phone.perform(.tone(.dial))
            #expect(Self.wait { phone.device.controls == [32, 1, 31, 1] }, "\(phone.device.controls)")
        }

        @Test
        func missingControlIsReportedOnceAndOthersAreSet() throws {
            let notices = Mutex<[MediaNotice]>([])
            let phone = try TestPhone(
                { settings in
                    settings.devices[.handset]?.mixer = ["Loudspeaker": 50, "Speaker": 100]
                    settings.linger = .milliseconds(100)
                }, notice: { notice in notices.withLock { $0.append(notice) } })
            for _ in 0..<2 {
                phone.perform(.tone(.dial))
                listen(milliseconds: 200)
                phone.perform(.tone(nil))
                listen(milliseconds: 300)
            }
            #expect(phone.device.controls.prefix(2) == [64, 1])
            let told = notices.withLock { $0 }.filter { if case .noControls = $0 { true } else { false } }
            #expect(told == [.noControls(["Loudspeaker"], device: phone.device.name)])
            #expect(told.first?.description.contains("\"Loudspeaker\"") == true)
        }

        @Test
        func secondRouteOfDeviceHasItsOwnLevels() throws {
            let phone = try TestPhone { settings in
                settings.devices[.handset]?.mixer = ["Speaker": 50, "Mic": 100]
                settings.devices[.speaker] = settings.devices[.handset]
                settings.devices[.speaker]?.mixer = ["Speaker": 100, "Mic": 0]
            }
            phone.perform(.tone(.dial))
            #expect(Self.wait { phone.device.controls == [32, 1, 31, 1] }, "\(phone.device.controls)")
            phone.perform(.route(.speaker))
            #expect(Self.wait { phone.device.controls == [64, 1, 0, 1] }, "\(phone.device.controls)")
            #expect(phone.log.count { if case .deviceLost = $0 { true } else { false } } == 0)
        }

        private static func wait(_ condition: () -> Bool) -> Bool {
            for _ in 0..<100 where !condition() { listen(milliseconds: 20) }
            return condition()
        }
    }
}
