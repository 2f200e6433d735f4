import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type components, PlatenError } from '@platen/client'
import { defined } from '@platen/foundation/json/defined.ts'
import type { CommandContext } from '../frame/command.ts'
import { printRows } from '../frame/table.ts'
import { type ComparedVersions, parseContent, type TemplateLibrary } from './library.ts'
import { pictureOf } from './page-pictures.ts'

type Schemas = components['schemas']
type Comparison = Schemas['TemplateComparison']
type Page = Schemas['ComparedPage']
/** A printed page: without the pictures of the API, and with the name of its file. */
type Row = Page & { picture?: string }

export interface PageDiff {
  /** Its id or slug. */
  template: string
  from: string | undefined
  to: string | undefined
  /** A file of JSON. */
  data: string | undefined
  /** What may differ of a page. */
  threshold: number
  /** The folder of the pictures. */
  out: string | undefined
  json: boolean
}

/** Prints a line for each page of two versions, and returns whether one differs by more than the threshold. */
export async function diffPages(
  library: TemplateLibrary,
  { print, note }: Pick<CommandContext, 'print' | 'note'>,
  { template, from, to, data, threshold, out, json }: PageDiff,
): Promise<boolean> {
  const versions = {
    ...defined({ from, to }),
    ...(data !== undefined && { data: await readData(data) }),
  }
  const compare = (more: Pick<ComparedVersions, 'images'>) => library.comparePages(template, { ...versions, ...more })
  const comparison = out === undefined ? await compare({ images: false }) : await withPictures(compare, note)
  const { pages = [] } = comparison
  for (const line of warningsOf(comparison)) note(line)
  const files = out === undefined ? [] : await writePictures(out, pages)
  const rows = pages.map((page, index): Row => {
    const picture = files[index]
    return { ...page, ...sides(page), ...defined({ picture }) }
  })
  printRows(rows, { print, json, columns: columnsOf })
  const beyond = pages.filter(({ share }) => share > threshold).length
  if (beyond > 0)
    note(`${beyond} of ${pages.length} pages differ${threshold > 0 ? ` by more than ${percent(threshold)}` : ''}`)
  return beyond > 0
}

async function readData(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((err: Error) => {
    throw new Error(`${path} cannot be read: ${err.message}`, { cause: err })
  })
  try {
    return parseContent(text)
  } catch (err) {
    throw new Error(`${path} is not JSON: ${(err as Error).message}`, { cause: err })
  }
}

/** Codes of a comparison that may succeed without pictures: they are too large to be sent, or take too long to be made. */
const dueToPictures: ReadonlySet<string> = new Set(['RENDER_LIMIT_EXCEEDED', 'PDF_TOO_COMPLEX', 'RENDER_TIMEOUT'])

/** Asks for the pictures, and without them if that fails: the pages are listed all the same. */
async function withPictures(
  compare: (more: Pick<ComparedVersions, 'images'>) => Promise<Comparison>,
  note: (line: string) => void,
): Promise<Comparison> {
  try {
    return await compare({ images: true })
  } catch (err) {
    const { cause } = err as Error
    if (!(cause instanceof PlatenError) || !dueToPictures.has(cause.code)) throw err
    const comparison = await compare({ images: false })
    note(`no pictures are written: ${cause.message}`)
    return comparison
  }
}

function warningsOf({ from, to, printed }: Comparison): string[] {
  return [[from, printed?.from.warnings ?? []] as const, [to, printed?.to.warnings ?? []] as const].flatMap(
    ([version, warnings]) => {
      if (warnings.length === 0) return []
      const codes = [...new Set(warnings.map(({ code }) => code))]
      return `version ${version} was printed with ${warnings.length} warnings: ${codes.join(', ')}`
    },
  )
}

/** Pictures of an earlier run, which would be taken for pages of this one. */
const pictureName = /^page-\d{3}-\w+\.png$/

/** Returns the file of each page that has a picture. */
async function writePictures(folder: string, pages: readonly Page[]): Promise<(string | undefined)[]> {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) if (pictureName.test(name)) await rm(join(folder, name))
  const files: (string | undefined)[] = []
  for (const [index, page] of pages.entries()) {
    const picture = pictureOf(page)
    const file = join(folder, `page-${String(index + 1).padStart(3, '0')}-${page.status}.png`)
    if (picture) await writeFile(file, picture)
    files.push(picture && file)
  }
  return files
}

function sides({ from, to }: Page): Pick<Page, 'from' | 'to'> {
  const without = ({ page, width, height }: Schemas['ComparedPageSide']) => ({ page, width, height })
  return { ...(from && { from: without(from) }), ...(to && { to: without(to) }) }
}

const shownBoxes = 3

/** `2 → 3  changed  0.07 %  22.6 × 4 mm at 16.9, 205.3` */
function columnsOf({ from, to, status, share, boxes, picture }: Row): string[] {
  const areas = boxes.slice(0, shownBoxes).map(({ x, y, width, height }) => `${width} × ${height} mm at ${x}, ${y}`)
  if (boxes.length > shownBoxes) areas.push(`and ${boxes.length - shownBoxes} more`)
  return [
    `${from?.page ?? '-'} → ${to?.page ?? '-'}`,
    status,
    status === 'changed' ? percent(share) : '',
    ...(picture === undefined ? [] : [picture]),
    areas.join('; '),
  ]
}

const percent = (share: number) => `${Number((share * 100).toPrecision(2))} %`
