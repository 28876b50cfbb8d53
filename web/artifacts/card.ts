/**
 * An artifact in the text: a card with its poster until somebody runs it, then a frame of its size,
 * as far as the column has room. **Invariant:** the frame's sandbox lets scripts run and nothing
 * else, so that what runs there has no origin and reaches neither page nor service. Keys get out of
 * the frame by the buttons before and behind it. Loaded with the first artifact of a text.
 */
import { type ArtifactMeta, readMeta } from '../api/artifacts.ts'
import { ApiError } from '../api/http.ts'
import { element } from '../platform/element.ts'
import { Frame } from './frame.ts'
import type { OnlyOne } from './only-one.ts'
import { showSource } from './source-dialog.ts'

/** What is near the window is looked up before it is seen. */
const near = '600px'

export class ArtifactCard {
  readonly #dom: HTMLElement
  readonly #address: string
  readonly #one: OnlyOne
  readonly #seen: IntersectionObserver
  #meta: ArtifactMeta | undefined
  #frame: Frame | undefined
  readonly #stop = () => this.#end()

  constructor(dom: HTMLElement, address: string, one: OnlyOne) {
    this.#dom = dom
    this.#address = address
    this.#one = one
    this.#seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        this.#seen.disconnect()
        void this.#look()
      },
      { rootMargin: near },
    )
    this.#seen.observe(dom)
  }

  destroy(): void {
    this.#seen.disconnect()
    this.#one.end(this.#stop)
    this.#frame?.close()
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
    const run = button('Run', 'button button-primary', () => this.#run(meta))
    const face = [posterOf(meta, () => this.#run(meta)), bar(meta, run, this.#sourceButton(meta))]
    this.#dom.replaceChildren(...face.filter((part) => part !== undefined))
  }

  #showProblem({ status }: ApiError): void {
    const retry = button('Try again', 'button', () => void this.#look())
    const actions = status === 404 || status === 423 ? [] : [retry]
    this.#dom.replaceChildren(
      element('span', 'artifact-bar', element('span', 'artifact-words', words(status)), ...actions),
    )
  }

  #run(meta: ArtifactMeta): void {
    this.#one.begin(this.#stop)
    const frame = new Frame(this.#address, meta)
    const leave = button('Back to the text', 'button artifact-hatch', () => this.#leave())
    const skip = button('Skip the artifact', 'button artifact-hatch', () => leave.focus())
    const actions = [
      button('Stop', 'button', () => {
        this.#stop()
        this.#dom.querySelector('button')?.focus()
      }),
      button('Full screen', 'button', () => frame.fill()),
      this.#sourceButton(meta),
    ]
    this.#frame = frame
    this.#dom.replaceChildren(bar(meta, ...actions), skip, frame.dom, leave)
    frame.focus()
  }

  #end(): void {
    this.#one.end(this.#stop)
    this.#frame?.close()
    this.#frame = undefined
    if (this.#meta !== undefined) this.#showCard(this.#meta)
  }

  #leave(): void {
    this.#dom.closest<HTMLElement>('.text')?.focus()
  }

  #sourceButton({ title }: ArtifactMeta): HTMLElement {
    return button('Show source', 'button', () => void showSource(this.#address, nameOf(title)))
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
  picture.src = meta.poster_url
  picture.alt = ''
  picture.loading = 'lazy'
  picture.draggable = false
  picture.style.aspectRatio = `${meta.width} / ${meta.height}`
  picture.addEventListener('click', onClick)
  picture.addEventListener('error', () => picture.remove())
  return picture
}

function words(status: number): string {
  if (status === 404) return 'This artifact is not there any more.'
  if (status === 423)
    return 'This artifact belongs to an archived document. It runs again when that is restored.'
  return 'This artifact could not be loaded.'
}

function button(label: string, className: string, act: () => void): HTMLButtonElement {
  const made = element('button', className, label)
  made.type = 'button'
  made.addEventListener('click', act)
  return made
}
