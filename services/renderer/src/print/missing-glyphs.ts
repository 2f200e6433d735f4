import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { ProgramEnvironment } from '../chromium/browser/environment.ts'
import type { Concern } from './concern.ts'

const execFileAsync = promisify(execFile)
const maxNamed = 5
const codePoints = 0x110000

/** One bit for each code point, set if an installed font has it. */
type Coverage = Uint8Array

/** Describes the characters of a document that no installed font has. */
export type MissingGlyphs = (characters: string) => Promise<string | undefined>

export const missingGlyphs: Concern = ({ describeMissingGlyphs, ending }) => {
  let described: Promise<string | undefined> | undefined
  return {
    loaded({ description }) {
      described = describeMissingGlyphs(description.rareCharacters)
    },
    async after({ rareCharacters }, warnings) {
      // Slices may show more characters than the document had when it was loaded.
      if (rareCharacters !== undefined) described = describeMissingGlyphs(rareCharacters)
      const message = described && (await untilAborted(described, ending.signal))
      if (message !== undefined) warnings.add('MISSING_GLYPHS', message)
    },
  }
}

/**
 * A function that finds characters without a font. Undefined if every character has one, and if fontconfig's `fc-list`
 * fails. The fonts are read once, at the first call.
 */
export function missingGlyphsOf(environment: ProgramEnvironment): MissingGlyphs {
  let reading: Promise<Coverage | undefined> | undefined
  return async (characters) => {
    if (characters === '') return undefined
    reading ??= readCoverage(environment)
    const coverage = await reading
    return coverage && describeMissing(characters, coverage)
  }
}

function describeMissing(characters: string, coverage: Coverage): string | undefined {
  const missing = [...characters].filter((character) => isShown(character) && !has(coverage, character))
  if (missing.length === 0) return undefined
  const named = missing.slice(0, maxNamed).map((character) => `${codeOf(character)} (${character})`)
  const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : ''
  return `no installed font has ${named.join(', ')}${more}`
}

/** Joiners, variation selectors, direction marks and white space have no glyph. */
function isShown(character: string): boolean {
  return !/[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cs}]/u.test(character)
}

/** A letter with marks can be composed from the glyphs of its parts. */
function has(coverage: Coverage, character: string): boolean {
  const covered = (part: string) => {
    const code = part.codePointAt(0) ?? 0
    return ((coverage[code >> 3] ?? 0) & (1 << (code & 7))) !== 0
  }
  return covered(character) || [...character.normalize('NFD')].every((part) => part !== character && covered(part))
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

async function readCoverage(env: ProgramEnvironment): Promise<Coverage | undefined> {
  try {
    const options = { maxBuffer: 64 * 2 ** 20, timeout: 10_000, env }
    const { stdout } = await execFileAsync('fc-list', ['--format', '%{charset}\n'], options)
    const coverage = parseCharsets(stdout)
    return coverage.some((byte) => byte !== 0) ? coverage : undefined
  } catch {
    return undefined
  }
}

/** Parses lines of `20-7e a0 …` (hexadecimal), one for each font. */
export function parseCharsets(text: string): Coverage {
  const coverage = new Uint8Array(codePoints >> 3)
  for (const line of new Set(text.split('\n'))) {
    for (const range of line.split(' ')) {
      const [first = '', last = first] = range.split('-')
      if (first === '') continue
      const end = Math.min(Number.parseInt(last, 16), codePoints - 1)
      for (let code = Number.parseInt(first, 16); code <= end; code++) {
        coverage[code >> 3] = (coverage[code >> 3] ?? 0) | (1 << (code & 7))
      }
    }
  }
  return coverage
}
