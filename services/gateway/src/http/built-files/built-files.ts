import { readFile, readlink } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** As `site/src/main.ts` and `studio/build/main.ts` write it. */
interface FileList {
  files: Record<string, string>
  scripts: string[]
  /** These are there as `<file>.br` and `<file>.gz`, too. */
  compressed: string[]
}

/** Content codings, with the extension of the compressed files. */
const codings = { br: '.br', gzip: '.gz' }
export type Coding = keyof typeof codings

export interface BuiltFile {
  content(coding?: Coding): Promise<Buffer>
  type: string
  tag: string
  /** Its name has a hash of its content. */
  isImmutable: boolean
  isCompressed: boolean
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml',
}

/** Files that are served as they were built last: the site of the documentation, or the studio. `<folder>/current` leads to them. */
export class BuiltFiles {
  readonly #folder: string
  #built:
    | { name: string; files: ReadonlyMap<string, string>; scripts: readonly string[]; compressed: ReadonlySet<string> }
    | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The hashes of the scripts in the pages; undefined if nothing is built. To be called first for each request. */
  async scripts(): Promise<readonly string[] | undefined> {
    const name = await readlink(join(this.#folder, 'current')).catch(() => undefined)
    if (name !== undefined && name !== this.#built?.name) {
      const listed: FileList = JSON.parse(await readFile(join(this.#folder, name, 'site.json'), 'utf8'))
      const { files, scripts, compressed } = listed
      this.#built = { name, files: new Map(Object.entries(files)), scripts, compressed: new Set(compressed) }
    }
    return this.#built?.scripts
  }

  /** `guides/paper` is in `guides/paper.html`, and `` in `index.html`. Undefined if there is no such file. */
  find(path: string): BuiltFile | undefined {
    const { name: built = '', files, compressed } = this.#built ?? {}
    const name = [path, `${path}.html`, `${path}index.html`, `${path}/index.html`].find((name) => files?.has(name))
    if (name === undefined) return undefined
    return {
      content: (coding) => readFile(join(this.#folder, built, name + (coding === undefined ? '' : codings[coding]))),
      type: types[extname(name)] ?? 'application/octet-stream',
      tag: files?.get(name) ?? '',
      isImmutable: name.startsWith('assets/'),
      isCompressed: compressed?.has(name) ?? false,
    }
  }
}
