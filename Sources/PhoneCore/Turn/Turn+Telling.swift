/// Tells the world what changed: everything that is a function of the phone's state.
extension Turn {
    mutating func tell(since before: PhoneState) {
        guard before != phone else { return }
        let (old, new) = (Outward(before), Outward(phone))
        tellPanelAndEar(old, new)
        tellMicrophones(since: before)
        tellVault()
        for call in phone.calls where before[call.id]?.summary != call.summary { notice(.callChanged(call.summary)) }
        if old.rings != new.rings { notice(.ringerChanged(on: new.rings)) }
        if old.tone != new.tone { notice(.toneChanged(new.tone)) }
        if old.muted != new.muted { notice(.muteChanged(new.muted)) }
        if old.route != new.route { notice(.routeChanged(new.route)) }
    }

    private mutating func tellPanelAndEar(_ old: Outward, _ new: Outward) {
        if old.rings != new.rings { emit(.panel(.ringer(new.rings ? policy.ringCadence : nil))) }
        if old.tone != new.tone { emit(.media(.tone(new.tone))) }
        if old.route != new.route { emit(.media(.route(new.route))) }
        for (index, lamp) in Lamp.allCases.enumerated() where old.lamps[index] != new.lamps[index] {
            emit(.panel(.lamp(lamp, new.lamps[index])))
        }
    }

    /// The only place that turns voice on. The gate is set first: a microphone that should be closed never opens.
    private mutating func tellMicrophones(since before: PhoneState) {
        for call in phone.calls {
            guard let isOpen = call.microphone else { continue }
            let wasOpen = before[call.id]?.microphone
            if wasOpen != isOpen { emit(.media(.microphone(call.id, open: isOpen))) }
            if wasOpen == nil { emit(.media(.activate(call.id))) }
        }
    }

    /// The vault keeps one call: the youngest that is, or was, up and is not over.
    private mutating func tellVault() {
        let kept = phone.calls.last { $0.id == phone.keptCall || $0.talk != nil }
        guard kept?.id != phone.keptCall else { return }
        phone.keptCall = kept?.id
        if let essentials = kept?.essentials {
            emit(.vault(.persist(essentials)))
        } else {
            emit(.vault(.clearPersisted))
        }
    }
}
