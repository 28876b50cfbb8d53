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
  /** Entries of an index that one page of a list looks at. */
  listedEntriesMax: 500,
  /** Beside them, entries of one's own documents that are passed over. */
  ownEntriesPassedMax: 20_000,
} as const
