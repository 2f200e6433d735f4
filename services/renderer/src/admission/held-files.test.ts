import t from 'tap'
import { HeldFiles } from './held-files.ts'

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

t.test('a wait ends with its signal', async (t) => {
  const files = new HeldFiles(1)
  files.hold(1)
  const ended = new AbortController()
  const waiting = files.untilRoom(ended.signal)
  ended.abort(new Error('cancelled'))
  await t.rejects(waiting, { message: 'cancelled' })
})
