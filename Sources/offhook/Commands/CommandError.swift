/// A command was understood and could not be done. Unlike a `ValidationError` it does not teach how to type commands.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
