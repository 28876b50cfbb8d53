/**
 * An artifact in the text: a card with its poster, then a frame of its size, as far as the column
 * has room. It runs when somebody asks for it. One with a poster also begins by itself when that is
 * seen, and then takes neither clicks nor keys nor the focus before it is asked for. **Invariant:**
 * the frame's sandbox lets scripts run and nothing else, so that what runs there has no origin and
 * reaches neither page nor service. Keys get out of the frame by the buttons before and behind it.
 * Loaded with the first artifact of a text.
 */
import { type ArtifactMeta, readMeta } from '../api/artifacts.ts'
import { under } from '../api/base.ts'
import { ApiError } from '../api/http.ts'
import { element } from '../platform/element.ts'
import { notify } from '../platform/notices.ts'
import { oncePer } from '../platform/once-per.ts'
import { type Ended, mayRunByItself, watchOver } from './autorun.ts'
import { Frame } from './frame.ts'
import { iconButton } from './icon-button.ts'
import { SingleRunner } from './single-runner.ts'
import { showSource } from './source-dialog.ts'
import { Visibility } from './visibility.ts'

const onlyOneOf = oncePer((_text: object) => new SingleRunner())

export class ArtifactCard {
  readonly #dom: HTMLElement
  readonly #address: string
  readonly #one: SingleRunner
  readonly #sight: Visibility
  #meta: ArtifactMeta | undefined
  #frame: Frame | undefined
  /** Somebody asked for it, or stopped it: it does nothing by itself any more. */
  #isAsked = false
  /** Told how it ended that it ran by itself. */
  #watched: ((ended: Ended) => void) | undefined
  readonly #begin = () => this.#runSeen()
  readonly #stop = () => this.#end()

  /** `text` stands for the one that it is in. */
  constructor(dom: HTMLElement, address: string, text: object) {
    this.#dom = dom
    this.#address = address
    this.#one = onlyOneOf(text)
    this.#sight = new Visibility(dom, {
      onNear: () => void this.#look(),
      onSeen: (isSeen) => this.#onSeen(isSeen),
    })
  }

  destroy(): void {
    this.#sight.close()
    this.#one.unwait(this.#begin)
    this.#closeFrame()
    this.#one.end(this.#stop)
  }

  async #look(): Promise<void> {
    try {
      this.#meta = await readMeta(this.#address)
      this.#showCard(this.#meta)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#showProblem(error)
    }
  }

  #showCard(meta: ArtifactMeta): void {
    const run = button('Run', 'button button-line', () => this.#run(meta))
    const poster = posterOf(meta, () => this.#run(meta))
    this.#show(bar(meta, run, this.#sourceButton(meta)), poster)
    if (poster !== undefined) this.#sight.watch(poster)
  }

  #showProblem({ status }: ApiError): void {
    const retry = button('Try again', 'button', () => void this.#look())
    const actions = status === 404 || status === 423 ? [] : [retry]
    this.#show(
      element('span', 'artifact-bar', element('span', 'artifact-words', words(status)), ...actions),
    )
  }

  #onSeen(isSeen: boolean): void {
    if (this.#isAsked) return
    if (!isSeen) {
      this.#one.unwait(this.#begin)
      if (this.#frame !== undefined) this.#end()
    } else if (this.#frame === undefined && mayRunByItself(this.#address)) {
      this.#one.wait(this.#begin)
    }
  }

  /** Without anybody's click. */
  #runSeen(): void {
    const meta = this.#meta
    if (meta === undefined) return
    const frame = this.#open(meta)
    frame.rest(() => this.#run(meta))
    this.#watched = watchOver(this.#address, () => this.#giveUp('badly'))
    const use = button('Use', 'button button-line', () => this.#run(meta))
    const stop = this.#stopButton()
    this.#show(bar(meta, use, stop, this.#sourceButton(meta)), frame.dom)
    this.#sight.watch(frame.dom)
  }

  /** With the focus goes each key that is typed. */
  #onTaken({ title }: ArtifactMeta, before: HTMLElement | undefined): void {
    if (this.#watched === undefined) {
      notify(`“${nameOf(title)}” took the keyboard focus, so it was stopped.`, 'problem')
    }
    this.#giveUp('badly')
    before?.focus({ preventScroll: true })
  }

  /** It does not begin by itself again. */
  #giveUp(ended: Ended = 'well'): void {
    this.#isAsked = true
    this.#end(ended)
  }

  #stopButton(): HTMLElement {
    return iconButton('stop', 'Stop', () => {
      this.#giveUp()
      this.#dom.querySelector('button')?.focus({ preventScroll: true })
    })
  }

  /** Because somebody asked. */
  #run(meta: ArtifactMeta): void {
    this.#isAsked = true
    this.#one.unwait(this.#begin)
    const frame = this.#frame ?? this.#open(meta)
    this.#unwatch('well')
    const leave = button('Back to the document', 'button artifact-hatch', () => this.#leave())
    const skip = button('Skip the artifact', 'button artifact-hatch', () => leave.focus())
    const actions = [
      this.#stopButton(),
      iconButton('fill', 'Full screen', () => frame.fill()),
      this.#sourceButton(meta),
    ]
    this.#show(bar(meta, ...actions), skip, frame.dom, leave)
    frame.focus()
  }

  #open(meta: ArtifactMeta): Frame {
    const around = this.#dom
    const onTaken = (before: HTMLElement | undefined) => this.#onTaken(meta, before)
    const frame = new Frame({ address: this.#address, meta, around, onTaken })
    this.#frame = frame
    this.#one.begin(this.#stop)
    return frame
  }

  #end(ended: Ended = 'well'): void {
    this.#closeFrame(ended)
    if (this.#meta !== undefined) this.#showCard(this.#meta)
    this.#one.end(this.#stop)
  }

  #closeFrame(ended: Ended = 'well'): void {
    this.#unwatch(ended)
    this.#frame?.close()
    this.#frame = undefined
  }

  #unwatch(ended: Ended): void {
    this.#watched?.(ended)
    this.#watched = undefined
  }

  /** A part that is shown already stays where it is: a frame that is moved begins anew. */
  #show(...given: readonly (HTMLElement | undefined)[]): void {
    const parts = given.filter((part) => part !== undefined)
    const at = parts.findIndex(({ parentNode }) => parentNode === this.#dom)
    const kept = parts[at]
    if (kept === undefined) {
      this.#dom.replaceChildren(...parts)
      return
    }
    for (const child of [...this.#dom.children]) if (child !== kept) child.remove()
    kept.before(...parts.slice(0, at))
    kept.after(...parts.slice(at + 1))
  }

  #leave(): void {
    this.#dom.closest<HTMLElement>('.text')?.focus()
  }

  #sourceButton({ title }: ArtifactMeta): HTMLElement {
    const show = () => void showSource(this.#address, nameOf(title))
    return iconButton('source', 'Show source', show)
  }
}

const nameOf = (title: string): string => (title === '' ? 'Artifact' : title)

function bar(meta: ArtifactMeta, ...actions: readonly HTMLElement[]): HTMLElement {
  const size = `${meta.width} × ${meta.height}, ${Math.ceil(meta.source_bytes / 1_000)} KB`
  return element(
    'span',
    'artifact-bar',
    element('span', 'artifact-name', nameOf(meta.title)),
    element('span', 'artifact-size', size),
    ...actions,
  )
}

function posterOf(meta: ArtifactMeta, onClick: () => void): HTMLElement | undefined {
  if (meta.poster_url === null) return undefined
  const picture = element('img', 'artifact-poster')
  picture.src = under(meta.poster_url)
  picture.alt = ''
  picture.loading = 'lazy'
  picture.draggable = false
  picture.style.aspectRatio = `${meta.width} / ${meta.height}`
  picture.style.setProperty('--width', `${meta.width}px`)
  picture.addEventListener('click', onClick)
  picture.addEventListener('error', () => picture.remove())
  return picture
}

function words(status: number): string {
  if (status === 404) return 'This artifact was deleted.'
  if (status === 423)
    return 'This artifact belongs to an archived document. Restore the document to run it.'
  return 'This artifact could not be loaded.'
}

function button(label: string, className: string, act: () => void): HTMLButtonElement {
  const made = element('button', className, label)
  made.type = 'button'
  made.addEventListener('click', act)
  return made
}
