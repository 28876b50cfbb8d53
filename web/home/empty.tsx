/** What stands where a list has nothing: what would be there, and how it comes there. */
import { Archive, Clock, FilePlus2, SearchX, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Account } from '../api/account.ts'
import { under } from '../api/base.ts'
import { NewDocument } from './new-document.tsx'
import type { Place } from './shelf.ts'

interface SaidProps {
  readonly icon: ReactNode
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

const Said = ({ icon, title, children, action }: SaidProps) => (
  <div className="empty">
    {icon}
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
)

export function Empty({
  place,
  account,
}: {
  readonly place: Place
  readonly account?: Account | undefined
}) {
  switch (place) {
    case 'mine':
      return (
        <Said
          icon={<FilePlus2 aria-hidden />}
          title="Your documents will stand here"
          action={<NewDocument isLarge />}
        >
          A document is a page of markdown that people and agents write together. Drop a file of
          markdown into a new one to bring in what you have
          {account?.guest === false ? (
            <>
              , or let a script make documents for you with an{' '}
              <a href={under('/account#owner-keys')}>owner key</a>
            </>
          ) : null}
          .
        </Said>
      )
    case 'shared':
      return (
        <Said icon={<UsersRound aria-hidden />} title="Nothing is shared with you yet">
          {account === undefined || account.guest
            ? 'Documents that others give you access to stand here. With an account they can invite you by your handle.'
            : `Documents that others give you access to stand here. They invite you by your handle, @${account.handle}.`}
        </Said>
      )
    case 'recent':
      return (
        <Said icon={<Clock aria-hidden />} title="Nothing was opened here yet">
          Documents that you open in this browser stand here, also those that you came to by a link.
          The list stays on this device.
        </Said>
      )
    case 'archived':
      return (
        <Said icon={<Archive aria-hidden />} title="Nothing is archived">
          Archive a document by its menu when you are done with it. Nobody can open it then; you can
          bring it back for 30 days, after which it is deleted for good.
        </Said>
      )
  }
}

export const EmptyFolder = () => (
  <Said
    icon={<FilePlus2 aria-hidden />}
    title="This folder is empty"
    action={<NewDocument isLarge />}
  >
    A new document is made in here. One that is there already comes here by its menu.
  </Said>
)

export const NothingFound = ({ query }: { readonly query: string }) => (
  <Said icon={<SearchX aria-hidden />} title={`No title has “${query.trim()}” in it`}>
    Titles are searched, word by word. What is archived is searched under “Archived”.
  </Said>
)
