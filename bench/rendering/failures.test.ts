import { join } from 'node:path'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import t from 'tap'
import { killNow } from '../../test/support/kill-now.ts'
import { processesNaming } from '../../test/support/processes.ts'
import { label } from '../documents/label.ts'
import { openGotenberg } from '../peers/gotenberg.ts'
import { spawnReady } from '../peers/spawn-ready.ts'
import { rowsTable } from '../report/rendering-report.ts'
import { openContextAhead } from '../strategies/page-per-render.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { Failures } from './failures.ts'
import { runRounds } from './rounds.ts'

t.setTimeout(300_000)

const program = join(import.meta.dirname, 'fixtures/run-peer.ts')
const documents = [label(), { ...label(), name: 'second' }]

/** Measures two documents with the strategy and with a peer that prints, and resolves with the table. */
async function measureBesideAnother(strategy: Strategy, limitMs = 60_000) {
  const failures = new Failures(() => {})
  await using good = await openPeer('print')
  const rows = await runRounds(documents, [strategy, { ...good, id: 'g', name: 'good' }], {
    rounds: 2,
    segmentMs: 20,
    limitMs,
    failures,
    say: () => {},
  })
  return { rows, failures: failures.all, table: rowsTable(rows, failures.all) }
}

/** A program that is asked over HTTP, in the way of Gotenberg. */
async function openPeer(behaviour: string): Promise<Strategy> {
  const peer = await spawnReady(process.execPath, [program, behaviour])
  const strategy = openGotenberg({ GOTENBERG_URL: peer.firstLine, GOTENBERG_PID: String(peer.pid) })
  if (!strategy) throw new Error('no strategy')
  return { ...strategy, concurrency: [1, 2], [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose]() }
}

for (const [behaviour, reason] of Object.entries({
  reset: /ECONNRESET/,
  'break off': /aborted/,
  hang: /not done within 5 s/,
  'answer 500': /the answer is 500: out of paper/,
  'answer garbage': /Parse Error/,
  'answer another file': /the answer is no PDF: <html>/,
  exit: /socket hang up|ECONNRESET|ECONNREFUSED/,
})) {
  t.test(`a peer that prints and then does ${behaviour} has failed, and the others are measured`, async (t) => {
    await using peer = await openPeer(behaviour)
    const { rows, failures, table } = await measureBesideAnother(peer, behaviour === 'hang' ? 5_000 : 60_000)
    t.strictSame(
      rows.map(({ document, strategy, concurrency }) => [document, strategy, concurrency]),
      documents.flatMap(({ name }) => [1, 2].map((concurrency) => [name, 'g', concurrency])),
    )
    t.match(failures, [
      { document: 'label', strategy: 'k', reason },
      { document: 'second', strategy: 'k' },
    ])
    t.match(table, /^label +k +Gotenberg, HTTP( +–)+ +failed: /m)
  })
}

t.test('a peer that closes idle connections is asked again', async (t) => {
  await using peer = await openPeer('reset reused connections')
  const { rows, failures } = await measureBesideAnother(peer)
  t.strictSame(failures, [])
  t.equal(rows.length, 8)
})

t.test('a program that is asked by lines and exits rejects with its exit code, and can be disposed of', async (t) => {
  await using peer = await spawnReady(process.execPath, [program])
  // More than a pipe holds: it exits before it has read all.
  await t.rejects(peer.request('x'.repeat(10_000_000)), { message: 'exited with code 3' })
  await t.rejects(peer.request('{}'), { message: 'exited with code 3' })
})

t.test('a program that does not start is an error', async (t) => {
  await t.rejects(spawnReady('/no/such/program', []), { message: /ENOENT/ })
  await t.rejects(spawnReady(process.execPath, ['--no-such-option']), { message: 'exited with code 9' })
})

t.test('a browser that is killed has failed, and the others are measured', async (t) => {
  const chromiumPath = findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')
  await using bare = await openContextAhead({ chromiumPath, maxConcurrency: 2 })
  const killed: Strategy = {
    ...bare,
    async render(document, worker) {
      for (const pid of bare.roots()) killNow(pid)
      return bare.render(document, worker)
    },
  }
  const { rows, failures } = await measureBesideAnother(killed)
  t.equal(rows.length, 4)
  t.match(failures, [{ strategy: 'h', reason: 'Chromium exited by SIGKILL' }, { document: 'second' }])
})

t.test('no process is left', async (t) => t.strictSame(await processesNaming(program), []))
