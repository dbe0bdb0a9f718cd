import Glibc

/// Sets alsa-lib's environment. Must run before the first thread exists.
enum SoundLibrary {
    /// Switches off alsa-lib's locks. Otherwise it locks in each call of a device that is not the kernel's own, in case
    /// several threads share it. In this program one thread owns each device, and the audio thread takes no locks.
    static func prepare() { unsafe setenv("LIBASOUND_THREAD_SAFE", "0", 0) }
}
