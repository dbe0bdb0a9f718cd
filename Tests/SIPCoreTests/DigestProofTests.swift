import Base
import SIPCore
import Testing

/// Digest authentication against values of another implementation (OpenSSL's hashes).
@Suite struct DigestProofTests {
    private static let credentials = DigestCredentials(username: #"al"ice\"#, password: Redacted("pässword"))

    @Test(arguments: [
        ("MD5", "", "f7a3263df8ebe2b62b9f59d7f1b84cf2"),
        ("MD5", "auth", "028801fd4e6b08fbfdec93d8a6b4ae1a"),
        ("MD5", "auth-int", "808011b3e020c76b9d95fafbb6f6ce76"),
        ("MD5-sess", "", "d425f63fae374a57bf2b855b5f965b33"),
        ("MD5-sess", "auth", "5728000285fe358c208ed6d83ea339bf"),
        ("MD5-sess", "auth-int", "3192394d7dfd73be800cea6ba58a7e2a"),
        ("SHA-256", "", "b70096f7e16763e20204eea86e92391148c8197a2aa70d250e033f7a0f4b9b25"),
        ("SHA-256", "auth", "dc7cd77683228c21fc54d44bd5f378e137726a848443bceee71a2d13ca228403"),
        ("SHA-256", "auth-int", "fbe47dee9f9955da4f9b738e218336ea1bf4024640f47ce8d968776ff53e72b9"),
        ("SHA-256-sess", "", "2b7515457ad09ee4bcd90b2df38ae3ccb6713a6a7b83a8458c7efb67c7b0c743"),
        ("SHA-256-sess", "auth", "59a6a31daf19280aa538b76549572e2493a8e2c81fc9aebf697b3e2abf609eee"),
        ("SHA-256-sess", "auth-int", "ae1a085f518f3318f005d09dc05bf567b19f386c8938c68c2db4aa131b174b3f"),
        ("SHA-512-256", "", "c32c527513f6a2093b8ae642aa6bae606896650c25639ba8ccab3e2d95b34f41"),
        ("SHA-512-256", "auth", "c9009f7b2b432b2bc7c74e2b1c4f1dc197b5fa18f1bbbe4b545f0264430f386e"),
        ("SHA-512-256", "auth-int", "b88ed506effb6ee967dfd729d1d74a90f80097181e50b07486f2406222d02e72"),
        ("SHA-512-256-sess", "", "7abd6989941b5d260edcb299d463441f8a9cda7e6ba25a48a562054ebc979a32"),
        ("SHA-512-256-sess", "auth", "21e773df83a0b23bb8c0c10f30ff66163351c026272bbdb14cfad42a9cc6ad4e"),
        ("SHA-512-256-sess", "auth-int", "6475210682005df300f375ca24e1a78fd061eb505e09bb03bbbb6b85eb9ec845"),
    ])
    func everyAlgorithmMatchesVectors(_ algorithm: String, _ protection: String, _ expected: String) throws {
        let offer = protection.isEmpty ? "" : ", qop=\"\(protection)\""
        let text = #"Digest realm="r \"q\"", nonce="n1", algorithm="# + algorithm + offer
        let challenge = try #require(DigestChallenge(Authentication(text)))
        let use = DigestUse(
            method: "REGISTER", uri: "sip:example.net", nonce: "n1", count: 2, clientNonce: "c1",
            body: Array("v=0\r\n".utf8))
        #expect(Self.credentials.proof(use, of: challenge, .test) == expected)
    }

    @Test(
        arguments: [
            (#""auth""#, "auth"), (#""auth,auth-int""#, "auth"), (#""auth-int, auth""#, "auth"),
            ("auth-int", "auth-int"),
            (#""AUTH-INT""#, "auth-int"), (#""new, auth-int""#, "auth-int"), (#"" auth ,new""#, "auth"),
            (#""new""#, nil),
            (#""""#, nil),
        ] as [(String, String?)])
    func qualitiesOfProtectionMatchVectors(_ offer: String, _ chosen: String?) throws {
        let challenge = DigestChallenge(try Authentication(#"Digest realm="r", nonce="n", qop="# + offer))
        #expect(challenge?.protection?.rawValue == chosen)
    }
}
