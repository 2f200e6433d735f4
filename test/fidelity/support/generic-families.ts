import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { readPdf } from '../../support/read-pdf.ts'

/** Parameters of Chromium's `Page.setFontFamilies`. */
export type GenericFamilies = Partial<Record<GenericFamily, string>>

type GenericFamily = (typeof generics)[number][0]

const generics = [
  ['standard', ''],
  ['serif', 'font-family: serif'],
  ['sansSerif', 'font-family: sans-serif'],
  ['fixed', 'font-family: monospace'],
  ['cursive', 'font-family: cursive'],
  ['fantasy', 'font-family: fantasy'],
] as const

/** A page of text for each generic family, in their order. */
export const genericFamiliesHtml = generics
  .map(([, style]) => `<p style="break-after: page; ${style}">Text</p>`)
  .join('')

/** The installed families that the pages of `genericFamiliesHtml` were printed in. */
export async function readGenericFamilies(pdf: Uint8Array): Promise<GenericFamilies> {
  const pages = await readPdf(pdf)
  const families = await familiesByPostscriptName()
  const found = generics.map(([generic], index) => [generic, families.get(pages[index]?.fonts[0] ?? '')] as const)
  return Object.fromEntries(found.filter(([, family]) => family !== undefined))
}

async function familiesByPostscriptName(): Promise<Map<string, string>> {
  const { stdout } = await promisify(execFile)('fc-list', ['--format', '%{postscriptname}\t%{family[0]}\n'])
  const lines = stdout.split('\n').map((line) => line.split('\t'))
  return new Map(lines.map(([name = '', family = '']) => [name, family]))
}
