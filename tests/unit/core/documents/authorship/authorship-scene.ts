/** Three people on one document that Alice has written, for rules of authorship told in a line. */
import * as assert from 'uvu/assert'
import { addBlock, alice, bob, carol, type Peer, World } from './authorship-world.ts'

export const long = 'It is forty characters long, or thereabouts.'

export interface Scene {
  world: World
  a: Peer
  b: Peer
  c: Peer
  /** One change of a peer, committed and seen by all. */
  act(peer: Peer, change: (peer: Peer) => void): void
  undo(peer: Peer): void
  redo(peer: Peer): void
  check(...blocks: string[]): void
}

/** Alice has written the given blocks. */
export function scene(...blocks: string[]): Scene {
  const world = new World()
  const [a, b, c] = [world.join(alice), world.join(bob), world.join(carol)]
  const act: Scene['act'] = (peer, change) => {
    peer.act(change)
    world.settle()
  }
  const undo = (peer: Peer) => {
    peer.undo.undo()
    world.settle()
  }
  const redo = (peer: Peer) => {
    peer.undo.redo()
    world.settle()
  }
  const check = (...expected: string[]) => {
    assert.equal(world.read(), expected)
    const seen = new World()
    for (const peer of world.peers) {
      seen.ydoc = peer.doc
      assert.equal(seen.read(), expected, 'peers see the same')
    }
  }
  act(a, (peer) => {
    for (const [index, text] of blocks.entries()) addBlock(peer, index, text)
  })
  return { world, a, b, c, act, undo, redo, check }
}

export const type =
  (block: number, at: number, text: string, attributes?: object) => (peer: Peer) =>
    peer.texts[block]?.insert(at, text, attributes)
export const cut = (block: number, at: number, length: number) => (peer: Peer) =>
  peer.texts[block]?.delete(at, length)
export const mark =
  (block: number, at: number, length: number, attributes: object) => (peer: Peer) =>
    peer.texts[block]?.format(at, length, attributes)
export const by = (actor: string) => ({ authored: { by: actor } })
