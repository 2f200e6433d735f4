import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generationEvents } from '@platen/domain/generation/generation-events.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { withArchive } from '@platen/event-store/archive/with-archive.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { ageEvents } from '@platen/test-support/age-events.ts'
import { killNow } from '@platen/test-support/kill-now.ts'
import t from 'tap'
import { runCli } from '../../testing/run-cli.ts'

// A real process that is killed. `remove-interrupted.test.ts` in shared/event-store stops a removal at each of its writes.

t.setTimeout(600_000)

const generations = 1_500
const program = fileURLToPath(new URL('../../main.ts', import.meta.url))
const pollMs = 2

const recorded = ({ type, example }: { type: string; example: { data: Json } }) => ({
  id: randomUUID(),
  type,
  data: example.data,
})

/** How many streams have been moved to the archive, and how many events there are. */
function countsOf(path: string) {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  try {
    const count = "SELECT count(*) AS events, sum(type = 'MovedToArchive') AS moved FROM events"
    const { events, moved } = database.prepare(count).get() ?? {}
    return { events: Number(events), moved: Number(moved) }
  } finally {
    database.close()
  }
}

t.test('a removal that is killed again and again loses nothing, and ends', async (t) => {
  const dataDir = t.testdir()
  await mkdir(join(dataDir, 'objects'))
  const path = join(dataDir, 'events.db')
  const store = await openEventStore(`sqlite:${path}`)
  t.teardown(() => store.close())
  const objects = await openObjectStore(`file:${dataDir}/objects`)
  t.teardown(() => objects.close())
  const { GenerationRequested, GenerationStarted, GenerationCompleted } = generationEvents
  for (let number = 0; number < generations; number++) {
    const events = [recorded(GenerationStarted), recorded(GenerationCompleted)]
    await store.append(`generation-${newId('pdf')}`, [recorded(GenerationRequested), ...events], 'none')
  }
  ageEvents(path, 100 * 24 * 3_600_000)
  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, args)
  t.match(await platen('archive', '--segment-events', '1000'), { code: 0 })

  const whole = withArchive(store, { objects: () => objects, recentMs: 0 })
  const seen = async () => {
    const positions: string[] = []
    for await (const event of whole.readLog({ after: 'start', categories: ['generation'] })) {
      positions.push(`${event.position} ${event.stream} ${event.revision} ${JSON.stringify(event.data).length}`)
    }
    return positions
  }
  const before = await seen()
  t.equal(before.length, 3 * generations)
  /** Kills the command when so many more streams are moved. Resolves to whether it was killed. */
  const killedAfter = async (moved: number): Promise<boolean> => {
    const limit = countsOf(path).moved + moved
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir }
    const running = spawn(process.execPath, [program, 'archive', 'remove', '--older-than', '30d'], { env })
    const ended = once(running, 'exit')
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    while (!isOver && countsOf(path).moved < limit) await delay(pollMs)
    if (running.pid !== undefined && !isOver) killNow(running.pid)
    const [, signal] = await ended
    return signal === 'SIGKILL'
  }
  let kills = 0
  for (const moved of [1, 100, 300, 500])
    if (await killedAfter(moved)) {
      kills++
      t.strictSame(await seen(), before, `killed after ${moved} more`)
    }
  // On a busy machine it may end before it is seen to have begun.
  t.comment(`${kills} kills`)
  t.match(await platen('archive', 'remove', '--older-than', '30d'), { code: 0 })
  t.strictSame(await seen(), before)
  const { events, moved } = countsOf(path)
  t.equal(moved, generations)
  t.ok(events < generations + 20, 'the others are removed')
})
