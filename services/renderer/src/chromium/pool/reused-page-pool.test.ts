import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import type { BrowserPage } from './browser-page.ts'
import { ReusedPagePool } from './reused-page-pool.ts'

/** The part of a page that the pool uses. `resetting` decides how long each reset takes. */
class StubPage {
  static readonly open = new Set<StubPage>()
  owner: string | undefined
  documents = 0
  documentsSinceReset = 0
  lost = new AbortController().signal
  proxy = { block() {} }
  readonly resetting: () => Promise<unknown>

  constructor(resetting: () => Promise<unknown>) {
    this.resetting = resetting
    StubPage.open.add(this)
  }

  async reset() {
    await this.resetting()
    this.owner = undefined
  }

  async close() {
    StubPage.open.delete(this)
  }
}

function givenPool({
  size = 1,
  resetMs = 0,
  onReset = () => {},
}: {
  size?: number
  resetMs?: number
  onReset?(): void
} = {}) {
  const reset = Promise.withResolvers<void>()
  const resetting = () => {
    onReset()
    return resetMs > 0 ? delay(resetMs) : reset.promise
  }
  let opened = 0
  const open = async () => {
    opened += 1
    return new StubPage(resetting) as unknown as BrowserPage
  }
  const pool = new ReusedPagePool({ open, size, log: createLogger('test', 'silent') })
  const use = async (owner: string, signal = new AbortController().signal) => {
    const page = await pool.take({ owner, leavesState: false }, signal)
    await pool.giveBack(page, { owner, leavesState: false }, false)
    return page
  }
  return { pool, use, reset, opened: () => opened }
}

t.test('a page whose caller leaves while it is reset serves the next one', async (t) => {
  const { pool, use, reset, opened } = givenPool()
  const page = await use('a')
  const client = new AbortController()
  const left = t.rejects(use('b', client.signal), { message: 'left' })
  client.abort(new Error('left'))
  await left
  reset.resolve()
  t.equal(await use('c'), page)
  t.equal(opened(), 1, 'no other page was opened')
  await pool[Symbol.asyncDispose]()
  t.equal(StubPage.open.size, 0)
})

t.test('a page that is being reset for a caller who has left is closed with the pool', async (t) => {
  const { pool, use, reset } = givenPool()
  await use('a')
  const client = new AbortController()
  const left = t.rejects(use('b', client.signal), { message: 'left' })
  client.abort(new Error('left'))
  await left
  const disposed = pool[Symbol.asyncDispose]()
  reset.resolve()
  await disposed
  t.equal(StubPage.open.size, 0)
})

t.test('a page is kept for the next document of its owner while a clean one is ready for others', async (t) => {
  const { pool, use, reset } = givenPool({ size: 2 })
  reset.resolve()
  const page = await use('a')
  await delay(100)
  t.equal(page.owner, 'a', 'it was not reset')
  t.equal(await use('a'), page)
  const other = await use('b')
  t.not(other, page)
  await until(() => page.owner === undefined || undefined, 'no page is clean')
  t.equal(other.owner, 'b', 'the page that was idle for longer is reset')
  t.equal(await use('c'), page)
  await pool[Symbol.asyncDispose]()
})

t.test('a page is reset after a document that leaves state, also for its own API key', async (t) => {
  const { pool, reset } = givenPool()
  const signal = new AbortController().signal
  const page = await pool.take({ owner: 'a', leavesState: true }, signal)
  await pool.giveBack(page, { owner: 'a', leavesState: true }, false)
  const next = pool.take({ owner: 'a', leavesState: false }, signal)
  reset.resolve()
  t.equal(await next, page)
  t.equal(page.owner, undefined, 'it was reset')
  await pool[Symbol.asyncDispose]()
})

t.test('no page is reset while one API key prints with all of them, and half of them are when it rests', async (t) => {
  let resets = 0
  const { pool, reset } = givenPool({ size: 4, onReset: () => (resets += 1) })
  reset.resolve()
  const use = { owner: 'a', leavesState: false }
  const take = () => Promise.all(Array.from({ length: 4 }, () => pool.take(use, new AbortController().signal)))
  const { now } = performance
  const startedAt = performance.now()
  // The clock stands still, so that the key does not rest, however long the delays take.
  performance.now = () => startedAt
  t.teardown(() => Object.assign(performance, { now }))
  for (let round = 0; round < 4; round++) {
    const pages = await take()
    await delay(20)
    for (const page of pages) await pool.giveBack(page, use, false)
    await delay(60)
  }
  t.equal(resets, 0)
  performance.now = now
  await until(() => resets === 2 || undefined, 'no page is clean for another owner')
  await pool[Symbol.asyncDispose]()
})

t.test(
  'a page that rests is looked at by one timer, however many documents its API key prints on others',
  async (t) => {
    const { pool, use, reset } = givenPool({ size: 2 })
    reset.resolve()
    await pool.ready
    const ofA = { owner: 'a', leavesState: false }
    const take = () => pool.take(ofA, new AbortController().signal)
    for (const page of await Promise.all([take(), take()])) await pool.giveBack(page, ofA, false)
    for (let document = 0; document < 60; document++) await use('a')
    // While this page prints, no page is reset.
    const printing = await take()
    await delay(50)
    const { setTimeout } = globalThis
    let timers = 0
    // Other tests of the process may have timers, too.
    const isOfPool = () => /reused-page-pool\.ts/.test(new Error().stack ?? '')
    const counting = (...call: Parameters<typeof setTimeout>) => {
      if (isOfPool()) timers += 1
      return setTimeout(...call)
    }
    globalThis.setTimeout = Object.assign(counting, setTimeout) as typeof setTimeout
    t.teardown(() => Object.assign(globalThis, { setTimeout }))
    const since = performance.now()
    await delay(100)
    const ms = performance.now() - since
    t.ok(timers < ms / 5, `${timers} timers in ${ms} ms`)
    await pool.giveBack(printing, ofA, false)
    await until(() => (printing.owner === undefined ? true : undefined), 'no page is clean when it rests')
    await pool[Symbol.asyncDispose]()
  },
)

t.test('an owner with many API keys resets its own pages, and the others keep theirs', async (t) => {
  const { pool, use, reset } = givenPool({ size: 4 })
  reset.resolve()
  await pool.ready
  const page = await use('one key')
  const ofMany = new Set<BrowserPage>()
  for (let key = 0; key < 20; key++) {
    ofMany.add(await use(`many key-${key}`))
    await delay(10)
  }
  t.equal(ofMany.size, 2, 'one page is left for a third owner')
  t.equal(page.owner, 'one key', 'it was not reset')
  const third = await use('third key')
  t.notOk(ofMany.has(third))
  t.equal(await use('one key'), page)
  await until(() => [...ofMany].some(({ owner }) => owner === undefined) || undefined, 'no page is clean')
  await pool[Symbol.asyncDispose]()
})

t.test('the API keys of an owner keep a page each while there are enough', async (t) => {
  const { pool, use, reset } = givenPool({ size: 4 })
  reset.resolve()
  await pool.ready
  const pages = [await use('one key'), await use('two first'), await use('two second')]
  await delay(100)
  t.strictSame([await use('one key'), await use('two first'), await use('two second')], pages)
  await pool[Symbol.asyncDispose]()
})

t.test('the resets of an owner with many API keys follow each other with pauses while others have pages', async (t) => {
  // The timers of the pool do not keep a process running.
  const running = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(running))
  const { now } = performance
  let passedMs = 0
  // A reset takes 20 ms by this clock, which stands still otherwise.
  performance.now = () => passedMs
  t.teardown(() => Object.assign(performance, { now }))
  const onReset = () => {
    passedMs += 20
  }
  const { pool, use, reset } = givenPool({ size: 4, onReset })
  reset.resolve()
  await pool.ready
  const { setTimeout } = globalThis
  let pauses = 0
  const counting = (callback: () => void, ms: number) => {
    const end = () => {
      pauses += 1
      callback()
    }
    return setTimeout(ms === 60 ? end : callback, ms)
  }
  globalThis.setTimeout = Object.assign(counting, setTimeout) as typeof setTimeout
  t.teardown(() => Object.assign(globalThis, { setTimeout }))
  /** For each document of another key, how many pauses have ended before it is printed. */
  const documents = async () => {
    const before: number[] = []
    for (let key = 0; key < 8; key++) {
      const earlier = pauses
      await use(`many key-${key}`)
      before.push(pauses - earlier)
    }
    return before
  }
  t.strictSame(await documents(), Array(8).fill(0))
  await use('one key')
  await until(() => (pauses === 1 ? true : undefined), 'the reset for the other owner is not followed by a pause')
  t.strictSame(await documents(), [0, ...Array(7).fill(1)])
  await pool[Symbol.asyncDispose]()
})
