import { glob, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { WrongArguments } from './read-arguments.ts'
import type { FidelityDocument } from './support/check-document.ts'
import { decodeHtml } from './support/decode-html.ts'
import { openSite } from './support/open-site.ts'
import { serveFolder } from './support/serve-folder.ts'

/** The documents of a folder, served until `resources` are disposed of, or the one at a URL. */
export async function findDocuments(
  source: string,
  delayMs: number,
  resources: AsyncDisposableStack,
): Promise<FidelityDocument[]> {
  if (/^https?:/.test(source)) return [await fetchDocument(source)]
  const folder = resolve(source)
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new WrongArguments(`${source} is neither a folder nor an http or https URL`)
  }
  const paths: string[] = []
  for await (const path of glob('**/*.html', { cwd: folder })) paths.push(path)
  if (paths.length === 0) throw new WrongArguments(`there is no .html file in ${source}`)
  const site = resources.use(await openSite({ find: serveFolder(folder), delayMs }))
  return Promise.all(
    paths.sort().map(async (path) => ({
      name: join(source, path),
      url: `${site.url}/${path.split('/').map(encodeURIComponent).join('/')}`,
      html: decodeHtml(await readFile(join(folder, path))),
    })),
  )
}

async function fetchDocument(source: string): Promise<FidelityDocument> {
  const response = await fetch(source).catch((cause: unknown) => {
    throw new WrongArguments(`${source} cannot be fetched`, { cause })
  })
  if (!response.ok) throw new WrongArguments(`${source} answered ${response.status}`)
  const [, charset] = /charset\s*=\s*"?([\w-]+)/i.exec(response.headers.get('content-type') ?? '') ?? []
  const bytes = await response.bytes()
  const html = charset === undefined ? decodeHtml(bytes) : new TextDecoder(charset).decode(bytes)
  return { name: source, url: response.url, html }
}
