import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import type { FontFile } from '@platen/pdf-tools/task/task.ts'
import type { ProgramEnvironment } from '../chromium/browser/environment.ts'

const run = promisify(execFile)
/** Liberation Sans has the widths of Helvetica. Glyphs with colours, and those that vary, cannot be embedded as outlines. */
const wanted =
  'Liberation Sans,Noto Sans,sans-serif:weight=regular:slant=roman:scalable=true:color=false:variable=false'
const timeout = 10_000
const maxCached = 1_000
const maxCachedChars = 100_000

interface FontPlace {
  name: string
  file: string
  index: number
}

/** The fonts of this machine and of FONTS_DIR, as fontconfig knows them. */
export class InstalledFonts {
  readonly #environment: ProgramEnvironment
  readonly #places = new LruCache<FontPlace>({ maxCount: maxCached, maxWeight: maxCachedChars })

  constructor(environment: ProgramEnvironment) {
    this.#environment = environment
  }

  /**
   * For each text the font that has most of its characters; each font once. Empty without fontconfig or fonts. Fonts that are added
   * later are used after the next start, as by the browsers. Those that were removed are not.
   */
  async of(texts: readonly string[]): Promise<FontFile[]> {
    const fonts = new Map<string, FontFile>()
    for (const text of texts) {
      const characters = charactersOf(text)
      const known = this.#places.get(characters)
      if (known && (await addFont(fonts, known))) continue
      const found = await this.#find(characters)
      if (found && (await addFont(fonts, found))) this.#places.set(characters, found)
    }
    return [...fonts.values()]
  }

  async #find(characters: string): Promise<FontPlace | undefined> {
    const args = ['--format', '%{postscriptname}\n%{file}\n%{index}', `${wanted}:charset=${characters}`]
    const found = await run('fc-match', args, { env: this.#environment, timeout }).catch(() => undefined)
    const [name = '', file = '', index] = found?.stdout.split('\n') ?? []
    if (!file.startsWith('/') || !/^\d+$/.test(index ?? '')) return undefined
    return { name, file, index: Number(index) }
  }
}

/** False if the file cannot be read any more. */
async function addFont(fonts: Map<string, FontFile>, { name, file, index }: FontPlace): Promise<boolean> {
  const key = `${file} ${index}`
  const bytes = fonts.get(key)?.bytes ?? (await readFile(file).catch(() => undefined))
  if (bytes) fonts.set(key, { name, index, bytes })
  return bytes !== undefined
}

/** In the form of fontconfig: code points in hexadecimal digits. */
function charactersOf(text: string): string {
  const points = new Set(
    [...text].filter((character) => !/\s/.test(character)).map((character) => character.codePointAt(0)),
  )
  return [...points]
    .map((point = 0x20) => point.toString(16))
    .sort()
    .join(' ')
}
