import t from 'tap'
import { abortWith } from './abort-with.ts'

t.test('a controller aborts with the reason of the first signal that does', async (t) => {
  const sources = [new AbortController(), new AbortController()]
  const { signal, abort } = follower(sources)
  using _following = abort
  t.notOk(signal.aborted)
  sources[1]?.abort('second')
  sources[0]?.abort('first')
  t.equal(signal.reason, 'second')
})

t.test('a signal that has aborted already aborts it at once', async (t) => {
  const source = new AbortController()
  source.abort('before')
  const { signal, abort } = follower([new AbortController(), source])
  using _following = abort
  t.equal(signal.reason, 'before')
})

t.test('after disposal the signals are not listened to', async (t) => {
  const source = new AbortController()
  const { signal, abort } = follower([source])
  abort[Symbol.dispose]()
  source.abort('late')
  t.notOk(signal.aborted)
})

function follower(sources: AbortController[]) {
  const controller = new AbortController()
  const abort = abortWith(
    controller,
    sources.map((source) => source.signal),
  )
  return { signal: controller.signal, abort }
}
