/** The list of what waits, beside the bar's button. What was looked at there has been seen. */
import { Popover } from 'radix-ui'
import type { RefObject } from 'react'
import type { InboxEntry } from '../api/inbox.ts'
import { useStore } from '../platform/store.ts'
import type { Inbox } from './inbox.ts'
import { WaitingList } from './waiting-list.tsx'

export interface PanelProps {
  readonly inbox: Inbox
  readonly here: string
  readonly hueOf: (actor: string) => number
  readonly button: RefObject<HTMLButtonElement | null>
  readonly onFollow: (entry: InboxEntry) => boolean
  readonly onClose: () => void
}

export function Panel({ inbox, here, hueOf, button, onFollow, onClose }: PanelProps) {
  const count = useStore(inbox.waiting).length
  return (
    <Popover.Root
      open
      onOpenChange={(isOpen) => {
        if (isOpen) return
        inbox.see()
        onClose()
      }}
    >
      <Popover.Anchor virtualRef={button as RefObject<HTMLButtonElement>} />
      <Popover.Portal>
        <Popover.Content
          className="float needs-you"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Needs you"
          onInteractOutside={(event) => {
            // The button closes it by itself.
            if (button.current?.contains(event.target as Node) === true) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (document.activeElement === document.body) button.current?.focus()
          }}
        >
          <h2 className="needs-you-title">Needs you</h2>
          {count === 0 ? <p className="needs-you-none">You’re all caught up.</p> : null}
          <WaitingList
            inbox={inbox}
            here={here}
            hueOf={hueOf}
            onFollow={(entry) => {
              const isShown = onFollow(entry)
              if (isShown) {
                inbox.see()
                onClose()
              }
              return isShown
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
