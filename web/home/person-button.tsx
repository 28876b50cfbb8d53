/** Who one is, and a menu of what one may do about it, which is loaded on first use. */
import { lazy } from 'react'
import { ownHue } from '../../schema/hues.ts'
import { useLeaving } from '../account/leaving.tsx'
import type { Account } from '../api/account.ts'
import { under } from '../api/base.ts'
import { Picture } from '../authors/picture.tsx'
import { OnFirstUse } from './on-first-use.tsx'

const load = () => import('./person-menu.tsx')
const PersonMenu = lazy(async () => ({ default: (await load()).PersonMenu }))

export function PersonButton({ account }: { readonly account: Account }) {
  const { actor_id: actor, name, guest } = account
  const signOut = async () => {
    const { forgetSession } = await import('../live/sign-out.ts')
    await forgetSession(actor)
    location.assign(under('/'))
  }
  const { leave, dialog } = useLeaving({ isGuest: guest, signOut })
  const face = <Picture peer={{ actor, name }} hue={ownHue(actor)} />
  const button = { className: 'button button-icon person-button', label: `You: ${name}`, face }
  return (
    <>
      <OnFirstUse {...button} load={load}>
        <PersonMenu {...button} account={account} onLeave={leave} />
      </OnFirstUse>
      {dialog}
    </>
  )
}
