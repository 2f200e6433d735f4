import type { RenderInput } from '@platen/domain/generation/generation.ts'
import { refuse } from '../answers/refused.ts'
import type { Form } from '../form/form.ts'
import { type ConvertMarkdown, fillMarkdown } from './fill-markdown.ts'

/** What a route makes a document of. */
export type SourceKind = 'html' | 'markdown' | 'url'

export type PageSourceInput = Pick<RenderInput, 'html' | 'page' | 'files'>

/** The most bytes of `index.html`, as of `html` in `POST /v1/generate`. */
const maxHtmlBytes = 5 * 2 ** 20

/** Fields and files of the source, whose problems come last. The result is read after the form was checked. */
export function readSource(form: Form, kind: SourceKind, convert: ConvertMarkdown): () => Promise<PageSourceInput> {
  if (kind === 'url') {
    form.require('url')
    const url = form.text('url')
    return async () => ({ page: { url: checkedUrl(url) } })
  }
  const index = form.requiredFile('index.html')
  if (kind === 'markdown') form.requiredInputs('.md')
  return async () => {
    if ((index?.bytes.length ?? 0) > maxHtmlBytes)
      refuse(413, `index.html is larger than ${maxHtmlBytes / 2 ** 20} MiB`)
    const html = index?.bytes.toString() ?? ''
    const filled = kind === 'markdown' ? await fillMarkdown(html, form.inputs('.md'), convert) : html
    const files = Object.fromEntries(
      form.files.filter((file) => file !== index).map(({ name, bytes }) => [name, bytes]),
    )
    return { html: filled, files }
  }
}

function checkedUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'file:') {
    const instead = 'Use the /convert/html or /convert/markdown routes to render local HTML'
    refuse(400, `file:// URLs are not accepted on this route. ${instead}`)
  }
  if (!url || !/^https?:$/.test(url.protocol)) return refuse(400, `Invalid URL: ${text.slice(0, 200)}`)
  return url.href
}
