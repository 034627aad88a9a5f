"""The parity tool: runs cases with the reference implementation's bytes through both codecs.

`python -m tests.parity DIR` prints each failure and, last, `N passed, M failed`. A folder of cases
has the form of `tests/cases`: `NAME.json`, `NAME.jellyp` and `NAME.jsonl`, and the folders `read`,
`refused` and `bad`.
"""
