import PhoneCore

extension VaultFile {
    /// Adds an account with a unique label, for programs that ask a running phone.
    mutating func addNamed(_ account: Account) -> Result<AccountID, VaultError> {
        do throws(VaultError) {
            guard try !accounts().contains(where: { $0.account.label == account.label }) else {
                throw .invalidValue(field: "label", expected: "one that no other account has")
            }
            return .success(try addAccount(account))
        } catch {
            return .failure(error)
        }
    }

    /// Keeps the account that a sign-in brings.
    mutating func addForSignIn(_ account: Account) -> Result<AccountID, VaultError> {
        do throws(VaultError) {
            return .success(try keepAccountOfSignIn(account))
        } catch {
            return .failure(error)
        }
    }
}
