/** Where one is signed in, this browser marked; one of them or all others can be ended. */
import { endSession, listSessions, type Session } from '../../api/own-account.ts'
import { Age } from '../../platform/age.tsx'
import { ago } from '../../platform/ago.ts'
import { notify } from '../../platform/notices.ts'
import { problemOf } from '../problems.ts'
import { ListedItem, LoadedList, Section, useLoaded } from './section.tsx'

export function Sessions() {
  const loaded = useLoaded(listSessions)
  const others = (loaded.items ?? []).filter(({ current }) => !current)
  const end = async (sessions: readonly Session[]) => {
    try {
      for (const { id } of sessions) await endSession(id)
      notify(sessions.length === 1 ? 'Session signed out.' : 'All other sessions signed out.')
    } catch (error) {
      notify(problemOf(error).text, 'problem')
    }
    loaded.reload()
  }
  return (
    <Section
      id="sessions"
      title="Sessions"
      lead="Browsers where you are signed in. Sign out any session that you do not recognize."
    >
      <LoadedList loaded={loaded} label="Sessions" empty="You have no other sessions.">
        {(session) => (
          <ListedItem
            key={session.id}
            title={
              <>
                {session.current ? 'This browser' : 'Another browser'}
                {session.current ? <span className="tag">here</span> : null}
              </>
            }
            more={<SessionTimes {...session} />}
            action={
              session.current ? null : (
                <button
                  type="button"
                  className="button button-line"
                  aria-label={`Sign out the session last used ${ago(Date.parse(session.last_used_at))}`}
                  onClick={() => void end([session])}
                >
                  End
                </button>
              )
            }
          />
        )}
      </LoadedList>
      {others.length > 1 ? (
        <p className="settings-actions">
          <button type="button" className="button button-line" onClick={() => void end(others)}>
            Sign out all others
          </button>
        </p>
      ) : null}
    </Section>
  )
}

const SessionTimes = ({ current, created_at, last_used_at }: Session) => (
  <>
    Signed in <Time iso={created_at} />
    {current ? null : (
      <>
        {' '}
        · used <Time iso={last_used_at} />
      </>
    )}
  </>
)

export const Time = ({ iso }: { readonly iso: string }) => <Age at={Date.parse(iso)} />
