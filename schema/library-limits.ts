/** The bounds of workspaces and libraries; part of `limits`. */
export const libraryBounds = {
  membersPerTeam: 200,
  teamsPerMember: 200,
  /** Bots with what is left of those that were deleted; slugs with old ones. */
  brainsPerAccount: 200,
  botSlugsPerAccount: 1_000,
  folderNameMaxChars: 200,
  /** Right in one folder, or in the root of a container. */
  foldersPerFolder: 1_000,
  /** Folders within each other. */
  folderDepthMax: 32,
  /** What may stand below a folder that is put into another. */
  foldersMovedMax: 5_000,
  /** Of an agent's library: what is asked for, and what is shown of a line. */
  searchQueryMaxChars: 500,
  searchTextMaxChars: 500,
  searchLineMaxChars: 200,
  /** Of an answer; what is left comes on the next page. */
  searchShownMaxChars: 128 * 1024,
  searchMatchesDefault: 5,
  searchContextDefault: 2,
  /** Looked through in one request; what is left comes on the next page. */
  searchedMaxChars: 8 * 1024 * 1024,
  bundleDocumentsMax: 500,
  bundleMaxBytes: 32 * 1024 * 1024,
  /** Documents that did not fit, after which no further ones are tried. */
  bundleMissesMax: 8,
  /** What reading one document for these may take, of the budget of parsing. */
  memberReadCostBytes: 8 * 1024 * 1024,
  /** Of the name of a file. */
  /** What is looked at of a title. */
  fileNameReadMaxChars: 1_000,
  fileNameMaxChars: 100,
  fileNameMaxBytes: 200,
  /** Entries of an index that one page of a list looks at. */
  listedEntriesMax: 500,
  /** Beside them, entries of one's own documents that are passed over. */
  ownEntriesPassedMax: 20_000,
} as const
