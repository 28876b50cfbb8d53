/**
 * What taking a live update will cost the event loop, in microseconds, told before it is applied.
 * The part of one turn that everybody else would feel counts many times over, so that few of those
 * can be had: walks over what is there. What comes and goes itself is merged in turns. Calibrated
 * with updates of pastes, replacements, offline copies and far insertions (a microsecond a step of
 * effort where it is a walk over what is cold, 20 a struct on its way through repair, authors,
 * mirror and text, 80 for each text it is in).
 */
import type { UpdateFacts } from '../guard/guard.ts'

const microsPerStep = 1
const microsPerPiece = 20
const microsPerHolder = 80
const microsPerByte = 1 / 20

/** A longer turn is felt by others. */
const feltFromMicros = 50_000
const feltFactor = 25

/** Steps of effort that take no longer than this many microseconds. */
export const stepsIn = (micros: number): number => micros / microsPerStep

/** How long applying it holds the event loop, about, in microseconds. */
export const holdOf = (
  { effort, pieces, holders }: Pick<UpdateFacts, 'effort' | 'pieces' | 'holders'>,
  bytes: number,
): number =>
  effort * microsPerStep +
  pieces * microsPerPiece +
  holders * microsPerHolder +
  bytes * microsPerByte

/** What a network is charged for that: walks are the part that is done in one go. */
export const priceOf = (
  facts: Pick<UpdateFacts, 'effort' | 'walks' | 'pieces' | 'holders'>,
  bytes: number,
): number => {
  const felt = facts.walks * microsPerStep
  return holdOf(facts, bytes) + feltFactor * Math.max(0, felt - feltFromMicros)
}

/** Bytes that are put together for a peer, and the line they take up. */
const answerMicrosPerByte = 1 / 8
/** Bytes that many are given alike. */
const sharedMicrosPerByte = 1 / 100

export const priceOfAnswer = (bytes: number, isShared: boolean): number =>
  bytes * (isShared ? sharedMicrosPerByte : answerMicrosPerByte)
