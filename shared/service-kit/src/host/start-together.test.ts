import t from 'tap'
import { startTogether } from './start-together.ts'

/** A start that ends when the test says so. */
function given(name: string, released: string[]) {
  const start = Promise.withResolvers<AsyncDisposable>()
  const service = {
    async [Symbol.asyncDispose]() {
      released.push(name)
    },
  }
  return { starting: start.promise, done: () => start.resolve(service), fail: (err: Error) => start.reject(err) }
}

t.test('it resolves when all have started, and the last one is released first', async (t) => {
  const released: string[] = []
  const [first, second] = [given('first', released), given('second', released)]
  const resources = new AsyncDisposableStack()
  const started = startTogether(resources, [first.starting, second.starting])
  second.done()
  first.done()
  t.equal((await started).length, 2)
  await resources.disposeAsync()
  t.strictSame(released, ['second', 'first'])
})

t.test('a failed start is thrown at once, and one that goes on is released when it has started', async (t) => {
  const released: string[] = []
  const [running, failing, late] = [given('running', released), given('failing', released), given('late', released)]
  const resources = new AsyncDisposableStack()
  const started = startTogether(resources, [running.starting, failing.starting, late.starting])
  running.done()
  failing.fail(new Error('no Chromium'))
  await t.rejects(started, { message: 'no Chromium' })
  const disposed = resources.disposeAsync()
  late.done()
  await disposed
  t.strictSame(released, ['late', 'running'])
})

t.test('a start that never ends does not keep the process from ending', async (t) => {
  const released: string[] = []
  const [running, waiting] = [given('running', released), given('waiting', released)]
  const resources = new AsyncDisposableStack()
  void startTogether(resources, [running.starting, waiting.starting])
  running.done()
  await resources.disposeAsync()
  t.strictSame(released, ['running'])
})
