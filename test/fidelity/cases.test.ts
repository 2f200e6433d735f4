import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'
import { checkDocument } from './support/check-document.ts'
import { openJudge } from './support/open-judge.ts'
import { openSite } from './support/open-site.ts'
import { serveFolder } from './support/serve-folder.ts'

t.setTimeout(600_000)

const cases = fileURLToPath(new URL('cases/', import.meta.url))
const names = (await readdir(cases)).filter((name) => name.endsWith('.html'))

const site = await openSite({ find: serveFolder(cases), delayMs: 30 })
t.teardown(() => site[Symbol.asyncDispose]())
const platen = await startPlaten({ RENDER_EGRESS: 'any' })
t.teardown(() => platen[Symbol.asyncDispose]())
const chromium = await openJudge(platen)
t.teardown(() => chromium[Symbol.asyncDispose]())

for (const name of names) {
  t.test(name, async (t) => {
    const document = { name, url: `${site.url}/${name}`, html: await readFile(`${cases}${name}`, 'utf8') }
    await Promise.all(
      (['auto', 'on'] as const).map(async (javascript) => {
        const checking = { chromium, platen, options: { javascript }, repeat: 2 }
        const { outcome, differences, warnings } = await checkDocument(document, checking)
        t.same(differences, [], `the same with javascript ${javascript}`)
        t.match(outcome, /^(same|later)$/)
        t.notMatch(warnings.join('\n'), /timed out/, 'nothing is waited for in vain')
      }),
    )
  })
}
