"""One password hash of each kind that systems take, with invented digests."""

SALT, ROUNDS = "a1./b2", "rounds=656000$"
H43, H86 = "x" * 43, "y" * 86
HASHES = {
    "sha512": f"$6${SALT}${H86}",
    "sha256": f"$5${SALT}${H43}",
    "md5": f"$1${SALT}${'z' * 22}",
    "bcrypt": f"$2b$12${'w' * 53}",
    "yescrypt": f"$y$j9T$F5Jx5fExrKuPp53xLKQ..1${H43}",
    "argon2": "$ar2$aOvsuj0ALlU=$r750fMa3ZEA/Di8dIfU2fQ==",
    "sha512-rounds": f"$6${ROUNDS}{SALT}${H86}",
    "sha256-rounds": f"$5${ROUNDS}{SALT}${H43}",
}
"""Kind → hash."""
