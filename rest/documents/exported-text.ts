/** A document's text as it leaves the service in a file: its images have their present address. */
import type { Slug } from '../../schema/ids.ts'
import type { FrontMatter } from '../../schema/okf.ts'
import { withPresentImages } from '../../schema/own-images.ts'
import type { Services } from '../services.ts'

/** Front matter stays as it is. `baseUrl`: by which name of the service the caller came. */
export async function exportedText(
  { markdown, front }: { readonly markdown: string; readonly front: FrontMatter },
  baseUrl: string,
  { assets }: Pick<Services, 'assets'>,
): Promise<string> {
  const body = await withPresentImages(markdown.slice(front.length), baseUrl, ({ slug, id }) =>
    assets.images.has(slug as Slug, id),
  )
  return markdown.slice(0, front.length) + body
}
