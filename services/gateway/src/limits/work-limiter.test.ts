import { setImmediate as immediate } from 'node:timers/promises'
import t from 'tap'
import { WorkLimiter } from './work-limiter.ts'

// The timers of the slots do not keep a process running.
const running = setInterval(() => {}, 1_000)
t.teardown(() => clearInterval(running))
const connected = new AbortController().signal

/** Takes slots of one owner, each with another API key, and counts those that have begun. */
function ownerOf(limiter: WorkLimiter, ownerId: string) {
  const begun: Disposable[] = []
  let keys = 0
  const take = (disconnected = connected) =>
    limiter.take({ ownerId, apiKeyId: `${ownerId}-${keys++}`, disconnected }).then((slot) => void begun.push(slot))
  return { begun, take, end: () => begun.shift()?.[Symbol.dispose]() }
}

/** Two owners, each with a slot, and a clock that stands still unless it is moved. */
async function givenVisitor() {
  let now = 0
  const limiter = new WorkLimiter(() => now)
  const visitor = ownerOf(limiter, 'visitor')
  const many = ownerOf(limiter, 'many')
  await visitor.take()
  await many.take()
  const pass = (ms: number) => {
    now += ms
  }
  return { limiter, visitor, many, pass }
}

t.test(
  'an owner has no limit while it is alone, and two at once with all its keys while another one is active',
  async (t) => {
    const limiter = new WorkLimiter()
    const many = ownerOf(limiter, 'many')
    await Promise.all(Array.from({ length: 20 }, () => many.take()))
    t.equal(many.begun.length, 20)
    const one = ownerOf(limiter, 'one')
    await one.take()
    const waiting = Array.from({ length: 10 }, () => many.take())
    await immediate()
    t.equal(many.begun.length, 20)
    one.end()
    while (many.begun.length > 1) many.end()
    await immediate()
    t.ok(many.begun.length <= 2, `${many.begun.length}`)
    for (let ended = 0; ended < 11; ended++) {
      while (many.begun.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      many.end()
    }
    await Promise.all(waiting)
  },
)

t.test(
  'an owner that waits rests after its work while a visitor is there; one that sends one request after another does not',
  async (t) => {
    const { visitor, many, pass } = await givenVisitor()
    pass(40)
    many.end()
    await many.take()
    t.equal(many.begun.length, 1, 'its only request begins at once')
    const [first, ...waiting] = Array.from({ length: 4 }, () => many.take())
    await first
    t.equal(many.begun.length, 2)
    pass(40)
    many.end()
    many.end()
    await immediate()
    t.equal(many.begun.length, 0, 'more of it wait')
    const visit = async () => {
      visitor.end()
      await visitor.take()
      await immediate()
    }
    pass(700)
    await visit()
    t.equal(many.begun.length, 0, 'it rests for twenty times as long as it worked')
    pass(200)
    await visit()
    t.equal(many.begun.length, 1)
    visitor.end()
    for (const begun of waiting.keys()) {
      pass(2_000)
      many.end()
      await waiting[begun]
    }
  },
)

t.test('an owner whose large bodies wait rests after its work, and is no visitor of others', async (t) => {
  const { limiter, visitor, many, pass } = await givenVisitor()
  const client = new AbortController()
  const body = { ownerId: 'many', apiKeyId: 'many-0', disconnected: client.signal }
  const places = await Promise.all([limiter.takePlace(body), limiter.takePlace(body)])
  const waiting = [limiter.takePlace(body), limiter.takePlace(body)]
  pass(40)
  many.end()
  const next = many.take()
  await immediate()
  t.equal(many.begun.length, 0, 'it rests')
  t.notOk(limiter.hasVisitor('visitor-0'))
  for (const place of places) place[Symbol.dispose]()
  for (const place of await Promise.all(waiting)) place[Symbol.dispose]()
  pass(2_000)
  visitor.end()
  await next
  t.equal(many.begun.length, 1)
})

t.test('a client that leaves gives its place back', async (t) => {
  const limiter = new WorkLimiter()
  const one = ownerOf(limiter, 'one')
  const many = ownerOf(limiter, 'many')
  await Promise.all([one.take(), many.take(), many.take()])
  const client = new AbortController()
  const left = t.rejects(many.take(client.signal), { name: 'AbortError' })
  client.abort()
  await left
  const waiting = many.take()
  many.end()
  one.end()
  await waiting
  t.equal(many.begun.length, 2)
})

t.test(
  'an owner with one request at a time is a visitor for a moment, also for changes that have their slot',
  async (t) => {
    let now = 0
    const limiter = new WorkLimiter(() => now)
    const many = ownerOf(limiter, 'many')
    await Promise.all([many.take(), many.take(), many.take()])
    t.notOk(limiter.hasVisitor('many-0'), 'its other API keys are none')
    const visitor = ownerOf(limiter, 'visitor')
    await visitor.take()
    t.ok(limiter.hasVisitor('many-0'))
    visitor.end()
    now += 400
    t.ok(limiter.hasVisitor('many-0'))
    now += 200
    t.notOk(limiter.hasVisitor('many-0'))
  },
)
