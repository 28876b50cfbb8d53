/** All parts of a view, for tests that compare what reads are told. */
import type { PatchOutcome, ReadWish } from '../../../../../core/documents/contract.ts'

export const everything: Required<ReadWish> = {
  markdown: true,
  markdownJson: true,
  contentHash: true,
  contentBlocks: true,
  quotedBlocks: true,
  authorship: true,
  authors: true,
  hues: true,
  frontMatter: true,
  threads: { kind: 'all' },
  excerpts: { blockMaxChars: 100 },
  speakers: { most: 100 },
  deletedComments: { most: 1_000 },
}

/** The text of an answer that has it as JSON. */
export const markdownIn = ({ markdownJson }: Pick<PatchOutcome, 'markdownJson'>): string =>
  JSON.parse(Buffer.concat(markdownJson).toString())
