import t from 'tap'
import { inspectTexts } from './inspect-texts.ts'
import { Inspector } from './inspector.ts'

const inspector = new Inspector({ threads: 1 })
t.teardown(() => inspector[Symbol.asyncDispose]())

const never = new AbortController().signal
const texts = (html: string) => ({ html, headerHtml: '', footerHtml: '', javascript: 'auto' as const })
/** The longest document that a request may have, of what takes longest. */
const slow = texts('<a '.repeat((5 * 1024 * 1024) / 3))

t.test('long documents have the same traits as if they were inspected at once', async (t) => {
  const long = texts(
    `<html lang="en"><iframe src="x"></iframe>${'<p>text</p>'.repeat(10_000)}<style>@page { size: A5 }</style>`,
  )
  t.strictSame(await inspector.inspect(long, never), inspectTexts(long))
})

t.test('while a long document is inspected, the event loop goes on', async (t) => {
  let turns = 0
  let inspected = false
  const inspecting = inspector.inspect(slow, never).finally(() => {
    inspected = true
  })
  while (!inspected) {
    await new Promise(setImmediate)
    turns += 1
  }
  await inspecting
  t.ok(turns > 10, `${turns} turns`)
})

t.test('a document that is cancelled makes the next one wait no longer', async (t) => {
  const cancel = new AbortController()
  const all = Array.from({ length: 100 }, () => inspector.inspect(slow, cancel.signal))
  const reason = new Error('cancelled')
  await new Promise(setImmediate)
  cancel.abort(reason)
  const outcomes = await Promise.allSettled(all)
  t.ok(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason === reason))
  // A hundred of them would take minutes.
  const long = texts(`<p>text</p>${' '.repeat(100_000)}`)
  t.strictSame(await inspector.inspect(long, never), inspectTexts(long))
})
