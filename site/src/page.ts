import { posix } from 'node:path'

/** Parts of the repository that are on the site. Sources of Platen are for those who have a clone. */
const places = /^(docs|examples|clients|deploy)\/|^[^/]+$/
const picture = /\.(png|svg)$/
/** A link or a picture. Its text may have code with brackets. */
const link = /(!?)\[((?:`[^`]*`|[^[\]])*)\]\(([^)\s]+)\)/g

/**
 * The path of a repository file in the folder that VitePress reads: `docs/guides/paper.md` is `guides/paper.md`. A file
 * that is neither a page nor a picture is served as text: `public/examples/report/template.html.txt`.
 */
export function fileOf(path: string): string {
  // The first page is the list of docs/README.md.
  if (path === 'README.md') return 'overview.md'
  const name = path.replace(/^docs\//, '')
  if (name.endsWith('.md')) return name.replace(/(^|\/)README\.md$/, '$1index.md')
  if (picture.test(name)) return name
  return join('public', /\.(json|ya?ml)$/.test(name) ? name : `${name}.txt`)
}

const join = posix.join

export interface Source {
  /** From the root of the repository. */
  path: string
  source: string
  isFile: (path: string) => Promise<boolean>
}

/**
 * The Markdown of a page with the links of the site, and the files that they lead to. A link to what the site does not have, such
 * as a folder or a source of Platen, becomes its text.
 */
export async function readPage({ path, source, isFile }: Source): Promise<{ text: string; files: string[] }> {
  const files: string[] = []
  const here = posix.dirname(fileOf(path))
  const rewrite = async ([whole, mark, label, target = '']: RegExpMatchArray) => {
    if (/^(https?:|mailto:|#)/.test(target)) return whole
    const [relative = '', anchor] = target.split('#')
    const file = join(posix.dirname(path), relative)
    if (!places.test(file) || !(await isFile(file))) return label
    files.push(file)
    const name = fileOf(file)
    const leads = name.startsWith('public/') ? name.replace('public', '') : `./${posix.relative(here, name)}`
    return `${mark}[${label}](${leads}${anchor === undefined ? '' : `#${anchor}`})`
  }
  // Comments mark the parts that `npm run generate` writes.
  const parts = source.replace(/^<!--.*-->\n/gm, '').split(/^( *```[\s\S]*?^ *```)$/m)
  const texts = parts.map(async (part, index) => {
    if (index % 2 === 1) return part
    const links = [...part.matchAll(link)]
    const replaced = await Promise.all(links.map(rewrite))
    const between = part.split(link).filter((_, at) => at % 4 === 0)
    return between.map((text, at) => text + (replaced[at] ?? '')).join('')
  })
  return { text: (await Promise.all(texts)).join(''), files }
}
