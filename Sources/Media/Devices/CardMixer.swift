import CALSA

/// The controls of a sound card's mixer, as `alsamixer` shows them. For a thread that may wait.
enum CardMixer {
    /// Sets controls to their levels and switches them on, if they belong to the stream's direction. A device that is not
    /// a card may have a mixer of the same name.
    /// - Parameters:
    ///   - levels: Percent of a control's range, by its name.
    ///   - stream: The open stream of the card.
    ///   - name: The stream's ALSA name.
    /// - Returns: The sorted names of missing controls.
    static func set(_ levels: [String: Int], for stream: SoundStream, named name: String) -> [String] {
        guard !levels.isEmpty else { return [] }
        var made: OpaquePointer?
        guard unsafe snd_mixer_open(&made, 0) == 0, let mixer = unsafe made else { return levels.keys.sorted() }
        defer { unsafe snd_mixer_close(mixer) }
        guard unsafe snd_mixer_attach(mixer, stream.place.map { "hw:\($0.card)" } ?? name) == 0,
            unsafe snd_mixer_selem_register(mixer, nil, nil) == 0, unsafe snd_mixer_load(mixer) == 0
        else { return levels.keys.sorted() }
        return levels.sorted { $0.key < $1.key }.compactMap { control, percent in
            guard let element = unsafe element(control, in: mixer) else { return control }
            switch stream.direction {
            case .capture: unsafe setCapture(element, percent)
            case .playback: unsafe setPlayback(element, percent)
            }
            return nil
        }
    }

    private static func element(_ name: String, in mixer: OpaquePointer) -> OpaquePointer? {
        var identifier: OpaquePointer?
        guard unsafe snd_mixer_selem_id_malloc(&identifier) == 0 else { return nil }
        defer { unsafe snd_mixer_selem_id_free(identifier) }
        unsafe snd_mixer_selem_id_set_name(identifier, name)
        unsafe snd_mixer_selem_id_set_index(identifier, 0)
        return unsafe snd_mixer_find_selem(mixer, identifier)
    }

    private static func setPlayback(_ element: OpaquePointer, _ percent: Int) {
        var (least, most) = (0, 0)
        if unsafe snd_mixer_selem_has_playback_volume(element) != 0 {
            unsafe snd_mixer_selem_get_playback_volume_range(element, &least, &most)
            unsafe snd_mixer_selem_set_playback_volume_all(element, level(percent, of: least, most))
        }
        if unsafe snd_mixer_selem_has_playback_switch(element) != 0 {
            unsafe snd_mixer_selem_set_playback_switch_all(element, 1)
        }
    }

    private static func setCapture(_ element: OpaquePointer, _ percent: Int) {
        var (least, most) = (0, 0)
        if unsafe snd_mixer_selem_has_capture_volume(element) != 0 {
            unsafe snd_mixer_selem_get_capture_volume_range(element, &least, &most)
            unsafe snd_mixer_selem_set_capture_volume_all(element, level(percent, of: least, most))
        }
        if unsafe snd_mixer_selem_has_capture_switch(element) != 0 {
            unsafe snd_mixer_selem_set_capture_switch_all(element, 1)
        }
    }

    private static func level(_ percent: Int, of least: Int, _ most: Int) -> Int {
        least + (most - least) * percent / 100
    }
}
