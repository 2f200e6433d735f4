import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { watchBrowsers } from '../support/browser-processes.ts'
import { killNow } from '../support/kill-now.ts'
import { type Platen, startPlaten } from '../support/platen.ts'
import { download } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

/** The least number of documents. */
const renders = 120
const kills = 10
const concurrency = 12
const busy = (ms: number) => `<script>const until = Date.now() + ${ms}; while (Date.now() < until);</script>`

/** Documents of both modes. Some with scripts take a second, so that they are being printed when a process is killed. */
function documentOf(n: number): string {
  const text = `<h1>Document ${n}</h1>`
  if (n % 5 < 3) return `${text}<table>${`<tr><td>row<td>${n}`.repeat(40)}</table>`
  return `${text}${busy(n % 50 === 3 ? 1_000 : 50)}`
}

t.test('generations are completed while a random Chromium process is killed every second', async (t) => {
  await using platen = await startPlaten()
  await using browsers = watchBrowsers(platen.pid)
  const done = new AbortController()
  const killed: string[] = []
  const look = async () => (await browsers.living()).map(({ pid, kind }) => ({ pid, kind }))
  let ended = 0
  const killing = killEachSecond({ look, ended: () => ended, killed }, done)
  const numbers = numbersWhile((n) => n < renders || killed.length < kills)
  const problems: string[] = []
  const clients = Array.from({ length: concurrency }, async () => {
    for (const n of numbers) {
      const problem = await render(platen, n)
      ended += 1
      if (problem !== undefined) problems.push(`${n}: ${problem}`)
    }
  })
  await Promise.all(clients)
  done.abort()
  await killing
  t.comment(`killed: ${killed.join(' ')}`)
  t.strictSame(problems, [], 'every generation is completed with the text of its document')
  const ready = async () => ((await fetch(`${platen.url}/readyz`)).status === 200 ? true : undefined)
  await until(ready, '/readyz does not recover')
  const gone = async () => ((await browsers.strays()).length === 0 ? true : undefined)
  await until(gone, async () => `processes left: ${JSON.stringify(await browsers.strays())}`)
})

/** Returns the problem, or undefined. */
async function render(platen: Platen, n: number): Promise<string | undefined> {
  const body = { html: documentOf(n), async: n % 4 !== 0 }
  const accepted = await platen.json<Generation>('/v1/generate', { body })
  if (accepted.status !== (body.async ? 202 : 200)) return `${accepted.status} ${JSON.stringify(accepted.body)}`
  const { body: ended } = await platen.json<Generation>(`/v1/generations/${accepted.body.id}?wait=60`)
  if (ended.status !== 'completed') return JSON.stringify(ended)
  const pdf = await download(ended.url)
  // Reading every PDF would take longer than printing it.
  const [page] = n % 25 < 5 ? await readPdf(pdf) : [{ text: `Document ${n}` }]
  return page?.text.startsWith(`Document ${n}`) ? undefined : `the text is ${page?.text}`
}

function* numbersWhile(wanted: (n: number) => boolean): Generator<number> {
  for (let n = 0; wanted(n); n++) yield n
}

interface Killing {
  look: () => Promise<{ pid: number; kind: string }[]>
  /** How many documents have ended. */
  ended: () => number
  killed: string[]
}

/** And not before a document has ended since the last kill: on a busy machine a browser needs more than a second to start. */
async function killEachSecond({ look, ended, killed }: Killing, { signal }: AbortController): Promise<void> {
  for (let endedBefore = -1; !signal.aborted; await delay(1_000, undefined, { signal }).catch(() => {})) {
    if (ended() === endedBefore) continue
    endedBefore = ended()
    const victims = await look()
    const victim = victims[Math.floor(Math.random() * victims.length)]
    if (victim) killNow(victim.pid)
    killed.push(victim?.kind ?? 'none')
  }
}
