/**
 * A new item in some list of a live editor, with one letter, and with ids as the page gives them.
 */
import * as Y from 'yjs'
import type { ActorId } from '../../schema/ids.ts'
import type { Chance } from '../chance.ts'
import type { Alphabet } from './alphabet.ts'
import type { Homes } from './homes.ts'

/** Somebody and his copy of the document. */
export interface Hands {
  readonly chance: Chance
  readonly fragment: Y.XmlFragment
  readonly actor: ActorId
  act(change: () => void): void
}

/** False when there is no list. */
export function addItem(hands: Hands, alphabet: Alphabet, homes: Homes): boolean {
  const { chance, fragment, actor } = hands
  const list = chance.pick(listsIn(fragment))
  if (list === undefined) return false
  const [item, paragraph] = [new Y.XmlElement('list_item'), new Y.XmlElement('paragraph')]
  const text = new Y.XmlText()
  const letter = alphabet.fresh(actor, 1)
  const block = freshId(chance)
  hands.act(() => {
    item.setAttribute('id', freshId(chance))
    paragraph.setAttribute('id', block)
    item.insert(0, [paragraph])
    paragraph.insert(0, [text])
    text.insert(0, letter)
    list.insert(chance.between(0, list.length), [item])
  })
  homes.make(block, list)
  homes.type(letter, text)
  alphabet.tell(actor, 'adds', letter, list.toString())
  return true
}

function freshId(chance: Chance): string {
  const tail = Array.from({ length: 16 }, () => chance.below(36).toString(36))
  return `bid_${tail.join('')}`
}

const listsIn = (parent: Y.XmlFragment): Y.XmlElement[] =>
  parent.toArray().flatMap((child) => {
    if (!(child instanceof Y.XmlElement)) return []
    const isList = child.nodeName.endsWith('_list')
    return isList ? [child, ...listsIn(child)] : listsIn(child)
  })
