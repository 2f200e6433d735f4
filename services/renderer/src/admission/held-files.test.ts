import t from 'tap'
import { admit } from './admit.ts'
import { HeldFiles } from './held-files.ts'
import { Slots } from './slots.ts'

const never = new AbortController().signal

t.test('a document begins when enough files are stored', async (t) => {
  const files = new HeldFiles(100)
  await files.untilRoom(never)
  const first = files.hold(60)
  await files.untilRoom(never)
  const second = files.hold(60)
  t.ok(files.isFull)
  let hasRoom = false
  const waiting = files.untilRoom(never).then(() => {
    hasRoom = true
  })
  await new Promise(setImmediate)
  t.notOk(hasRoom)
  first[Symbol.dispose]()
  await waiting
  first[Symbol.dispose]()
  t.equal(files.bytes, 60, 'each file is counted once')
  second[Symbol.dispose]()
  t.equal(files.bytes, 0)
})

t.test('a document whose slot is free when too many files are held waits until some are stored', async (t) => {
  const [files, slots] = [new HeldFiles(100), new Slots(1)]
  const request = { owner: 'one', key: 'one', priority: 'batch', signal: never } as const
  const printing = await slots.acquire(request)
  let slot: Disposable | undefined
  const printer = { check: async () => {} }
  const options = { slots, printer, clock: { now: () => 0 }, stopping: never }
  const admitted = admit(options, { ...request, waiting: undefined, held: files }).then((free) => {
    slot = free
  })
  await new Promise(setImmediate)
  const file = files.hold(100)
  printing[Symbol.dispose]()
  await new Promise(setImmediate)
  t.equal(slot, undefined)
  t.equal(slots.state().busy.batch, 0, 'its slot is free for others meanwhile')
  file[Symbol.dispose]()
  await admitted
  t.equal(slots.state().busy.batch, 1)
})

t.test('a wait ends with its signal', async (t) => {
  const files = new HeldFiles(1)
  files.hold(1)
  const ended = new AbortController()
  const waiting = files.untilRoom(ended.signal)
  ended.abort(new Error('cancelled'))
  await t.rejects(waiting, { message: 'cancelled' })
})
