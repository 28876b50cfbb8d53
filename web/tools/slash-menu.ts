/** The slash menu: `/` opens it, and what is chosen becomes of the block or is put in. */
import type { PageActions } from '../editor/commands/page-actions.ts'
import { itemsFor, type SlashItem } from './slash-items.ts'
import { createTypedMenu, type TypedMenu } from './typed-menu.ts'

export type SlashMenu = TypedMenu<SlashItem>

export const createSlashMenu = (actions: PageActions): SlashMenu =>
  createTypedMenu({
    name: 'slash',
    sign: '/',
    itemsFor(filter) {
      const items = itemsFor(filter)
      return items.length === 0 && /\s$/.test(filter) ? undefined : items
    },
    run(view, { run }) {
      if (typeof run === 'string') actions.run(run)
      else {
        run(view.state, view.dispatch, view)
        view.focus()
      }
    },
  })
