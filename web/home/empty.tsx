/** What stands where a list has nothing: what would be there, and how it comes there. */
import { Archive, Clock, FilePlus2, SearchX, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Account } from '../api/account.ts'
import { under } from '../api/base.ts'
import type { ListTab } from './home-lists.ts'
import { NewDocument } from './new-document.tsx'

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
  readonly place: ListTab
  readonly account?: Account | undefined
}) {
  switch (place) {
    case 'mine':
      return (
        <Said
          icon={<FilePlus2 aria-hidden />}
          title="No documents yet"
          action={<NewDocument isLarge />}
        >
          Create a document, or import a Markdown file into a new one
          {account?.guest === false ? (
            <>
              . Scripts can create documents for you with an{' '}
              <a href={under('/account#owner-keys')}>owner key</a>
            </>
          ) : null}
          .
        </Said>
      )
    case 'shared':
      return (
        <Said icon={<UsersRound aria-hidden />} title="No shared documents yet">
          {account === undefined || account.guest
            ? 'Documents that others share with you appear here. Create an account so that others can invite you by your handle.'
            : `Documents that others share with you appear here. Others can invite you by your handle, @${account.handle}.`}
        </Said>
      )
    case 'recent':
      return (
        <Said icon={<Clock aria-hidden />} title="No recent documents">
          Documents that you open in this browser appear here. The list is stored on this device
          only.
        </Said>
      )
    case 'archived':
      return (
        <Said icon={<Archive aria-hidden />} title="No archived documents">
          To archive a document, use its menu. You can restore archived documents for 30 days. After
          that they are deleted forever.
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
    Create a document here, or move one here with “Move to a folder…” in its menu.
  </Said>
)

export const NothingFound = ({ query }: { readonly query: string }) => (
  <Said icon={<SearchX aria-hidden />} title={`No results for “${query.trim()}”`}>
    Search matches words in titles. To search archived documents, open “Archived”.
  </Said>
)
