import t from 'tap'
import { timeless } from '../hostile/support/known-documents.ts'
import { startPlaten } from '../support/platen.ts'
import { coloursOf } from './loading/colours-of.ts'
import { frameKinds } from './loading/frame-kinds.ts'
import { imageKinds } from './loading/image-kinds.ts'
import type { LoadingKind } from './loading/loading-kind.ts'
import { scriptKinds } from './loading/script-kinds.ts'
import { siteFile } from './loading/site-files.ts'
import { styleKinds } from './loading/style-kinds.ts'
import { comparePages } from './support/compare-pages.ts'
import { openJudge } from './support/open-judge.ts'
import { openSite, type Site } from './support/open-site.ts'
import { printByPlaten } from './support/platen-printer.ts'
import { type PrintedPage, readPages } from './support/read-pages.ts'

t.setTimeout(600_000)

/** How late each sub-resource is. FIDELITY_DELAYS=0,30,120,400 tries others. */
const delaysMs = (process.env.FIDELITY_DELAYS ?? '0,60').split(',').map(Number)
/** Absolute URLs are tried with one delay, because they are fetched in the same way. */
const absoluteDelayMs = delaysMs[Math.floor(delaysMs.length / 2)]
/** How often each is printed. */
const repeat = Number(process.env.FIDELITY_REPEAT ?? 1)
const scale = 0.75

const kinds = [...styleKinds, ...scriptKinds, ...frameKinds, ...imageKinds]
const path = ({ name }: LoadingKind) => `${name.replaceAll(' ', '-')}.html`
const documents = new Map(kinds.map((kind) => [path(kind), kind.judged ?? kind.html('')]))

const find = (path: string) => {
  const html = documents.get(path.slice(1))
  return html === undefined ? siteFile(path.slice(1)) : { type: 'text/html; charset=utf-8', body: html }
}
const sites = new Map<number, Site>()
for (const delayMs of new Set([0, ...delaysMs])) {
  const site = await openSite({ find, delayMs })
  sites.set(delayMs, site)
  t.teardown(() => site[Symbol.asyncDispose]())
}
const siteUrl = (delayMs: number) => sites.get(delayMs)?.url ?? ''

const platen = await startPlaten({ RENDER_EGRESS: 'any' })
t.teardown(() => platen[Symbol.asyncDispose]())
const judge = await openJudge(platen)
t.teardown(() => judge[Symbol.asyncDispose]())

let right = 0
let renderings = 0
t.teardown(() => process.stderr.write(`loading: ${right} of ${renderings} renderings are right\n`))

for (const kind of kinds) {
  t.test(kind.name, async (t) => {
    const [plain, again] = await Promise.all([printPlain(kind), printPlain(kind)])
    t.same(comparePages(plain, again), [], 'plain Chromium prints it the same twice')
    t.equal(
      plain
        .map(({ text }) => text)
        .join(' ')
        .trim(),
      kind.text,
      'with its text',
    )
    t.same(coloursOf(plain), kind.colours, 'and its colours')
    await Promise.all(
      variantsOf(kind).map(async ({ name, ...job }) => {
        const print = async () => {
          const { pdf, error } = await printByPlaten(platen, job)
          return pdf ? comparePages(plain, await readOnce(pdf)) : [error]
        }
        const differences = await print()
        renderings += 1
        right += differences.length === 0 ? 1 : 0
        if (differences.length === 0) return t.pass(name)
        // Once in thousands, on a busy machine, a row of pixels of a picture is another one. A defect is there each time.
        t.comment(`${name}: ${JSON.stringify(differences)}`)
        t.same(await print(), [], name)
      }),
    )
  })
}

async function printPlain(kind: LoadingKind): Promise<PrintedPage[]> {
  return readOnce(await judge.print(`${siteUrl(0)}/${path(kind)}`, { waitMs: 300 }))
}

const alreadyRead = new Map<string, Promise<PrintedPage[]>>()

/** Most of the files are the same, and to draw one takes longer than to print it. */
function readOnce(pdf: Uint8Array): Promise<PrintedPage[]> {
  const content = timeless(pdf)
  const pages = alreadyRead.get(content) ?? readPages(pdf, { scale })
  alreadyRead.set(content, pages)
  return pages
}

function variantsOf(kind: LoadingKind) {
  return delaysMs.flatMap((delayMs) => {
    const at = `${siteUrl(delayMs)}/`
    return (kind.scripted ? (['auto'] as const) : (['auto', 'on'] as const)).flatMap((javascript) => {
      const name = `${delayMs} ms, javascript ${javascript}`
      const relative = { name, html: kind.html(''), baseUrl: at, options: { javascript } }
      const absolute = { name: `${name}, absolute`, html: kind.html(at), options: { javascript } }
      const variants = delayMs === absoluteDelayMs && !kind.sameOrigin ? [relative, absolute] : [relative]
      return Array.from({ length: repeat }, () => variants).flat()
    })
  })
}
