/** The bounds of links, tokens and grants; part of `limits`. */
export const accessBounds = {
  /** Of a document: links, tokens that its owner made, people and agents invited by handle. */
  linksPerDocument: 200,
  accessTokensPerDocument: 200,
  invitedPerDocument: 1_000,
  /** Of a document; past so many no account keeps what a link gave it at its first write. */
  grantsPerDocument: 10_000,
  /** Of a document, tokens that reads by a link minted and nobody named; and how many give way. */
  mintedTokensPerDocument: 2_000,
  mintedEndedAtOnce: 2,
  /** Documents of which is known for which networks these were minted. */
  mintingDocumentsKept: 100,
  /** Documents of which is known how many of these they have. */
  keyCountsKept: 10_000,
  grantsReadPerPage: 1_000,
  /** Tokens and makers looked at for what one token is worth; and how many are left for others. */
  worthRecordsMax: 64,
  worthRecordsSpared: 2,
  /** A revoked name is free to other documents after so long. */
  linkNameHeldMs: 90 * 24 * 3_600_000,
  /** An offer to own a document ends. */
  ownerOfferTtlMs: 30 * 24 * 3_600_000,
  /** A claim can be given back for so long. */
  claimGivenBackWithinMs: 24 * 3_600_000,
  /** Uses of links and tokens are counted in memory and written together. */
  usesStoredEveryMs: 30_000,
  usesNotedMax: 10_000,
} as const
