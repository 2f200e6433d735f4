import { fileURLToPath } from 'node:url'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import t, { type Test } from 'tap'
import { nestedForms, repeatedPicture, spaces } from '../../shared/pdf-tools/src/testing/bombs.ts'
import { type MemoryCgroup, openMemoryCgroup } from '../support/memory-cgroup.ts'
import { type Platen, startPlaten } from '../support/platen.ts'

t.setTimeout(600_000)

const inCgroup = fileURLToPath(new URL('../support/in-cgroup.ts', import.meta.url))
const groupMb = 1_024
const attempts = 12
/** A busy machine may need longer than the usual time of a request. */
const settings = { RENDER_SLOTS: '2', SYNC_TIMEOUT_MS: '120000' }
/** Comparisons beyond the share of their owner. */
const tooMany = 429

/** The bombs as results of Platen: an uploaded PDF whose content streams stay as they were. */
async function upload(platen: Platen, t: Test): Promise<string[]> {
  const ids: string[] = []
  for (const bytes of [spaces(900), nestedForms(), repeatedPicture()]) {
    const source = { content_base64: Buffer.from(bytes).toString('base64') }
    const { status, body } = await platen.json<Generation>('/v1/pdf/rotate', { body: { source, degrees: 90 } })
    t.equal(status, 200, JSON.stringify(body))
    ids.push(body.id)
  }
  return ids
}

interface Answer {
  status: number
  code: string | undefined
  ms: number
  /** How often it was asked to come again. */
  refused: number
}

async function answerOf(platen: Platen, path: string, init: Parameters<Platen['json']>[1]): Promise<Answer> {
  const startedAt = performance.now()
  const ask = () => platen.json<{ error?: { code: string } }>(path, init)
  let { status, body } = await ask()
  let refused = 0
  while (status === tooMany) {
    refused++
    await sleep(1_000)
    ;({ status, body } = await ask())
  }
  return { status, code: body?.error?.code, ms: Math.round(performance.now() - startedAt), refused }
}

/** Compares and draws bombs at once, prints documents meanwhile, and says how the bombs ended. */
async function attack(platen: Platen, t: Test): Promise<void> {
  const [wide = '', deep = '', slow = ''] = await upload(platen, t)
  const node = platen.pid()
  const bombs = Array.from({ length: attempts }, (_, at) => {
    if (at % 3 === 2) {
      const source = { generation: at % 2 === 0 ? deep : slow }
      return answerOf(platen, '/v1/pdf/images', { body: { source, images: { format: 'png' } } })
    }
    const [from, to] = [wide, slow, deep, wide].slice(at % 3)
    return answerOf(platen, `/v1/generations/${from}/compare?to=${to}`, {})
  })
  let areDone = false
  const ended = Promise.all(bombs).finally(() => {
    areDone = true
  })
  const documents: Answer[] = []
  while (!areDone) {
    t.equal((await fetch(`${platen.url}/livez`)).status, 200)
    documents.push(await answerOf(platen, '/v1/generate', { body: { html: '<p>Neighbour' } }))
  }
  const answers = await ended
  t.same(new Set(documents.map(({ status }) => status)), new Set([200]), 'documents are printed meanwhile')
  t.same(
    answers.map(({ status, code }) => `${status} ${code}`),
    Array.from({ length: attempts }, () => '422 PDF_TOO_COMPLEX'),
  )
  t.ok(
    answers.some(({ refused }) => refused > 0),
    'comparisons beyond four are asked to come again',
  )
  t.equal(platen.pid(), node)
  const slowest = (list: Answer[]) => Math.max(...list.map(({ ms }) => ms))
  t.comment(
    `bombs: the last after ${slowest(answers)} ms; ${documents.length} documents, at most ${slowest(documents)} ms`,
  )
}

t.test('PDFs that take memory or time without end are refused, compared and drawn twelve at once', async (t) => {
  await using platen = await startPlaten(settings)
  await attack(platen, t)
})

const group = openMemoryCgroup(groupMb)
const skip = group ? false : 'no control group can be made'

t.test('and in a control group of 1 GiB no process of Platen is killed', { skip }, async (t) => {
  await underLimit(group as MemoryCgroup, t)
})

async function underLimit(group: MemoryCgroup, t: Test): Promise<void> {
  {
    await using platen = await startPlaten({ ...settings, PLATEN_CGROUP: group.processesFile }, inCgroup)
    await attack(platen, t)
    t.comment(`memory at most ${Math.round(group.peakMb())} MB, of files, too; ${group.kills()} killed`)
    t.match(await (await fetch(`${platen.url}/readyz`)).json(), { status: 'ok' })
  }
  group[Symbol.dispose]()
}
