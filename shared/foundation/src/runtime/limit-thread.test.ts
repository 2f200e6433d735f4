import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { limitThread } from './limit-thread.ts'

const thread = (t: { teardown: (end: () => unknown) => void }, source: string) => {
  const worker = new Worker(source, { eval: true })
  t.teardown(() => worker.terminate())
  return worker
}

t.test('a thread that computes is ended, also within one expression', async (t) => {
  for (const source of ['for (;;);', '/(a+)+$/.test("a".repeat(60) + "!")']) {
    const worker = thread(t, source)
    const ended = once(worker, 'exit')
    using _ = limitThread(worker, 400, () => void worker.terminate())
    await ended
    t.pass(source)
  }
})

t.test('a thread that has to wait for a processor is waited for, and not forever', async (t) => {
  const patient = Promise.withResolvers<number>()
  const limitMs = 100
  const since = performance.now()
  // It has a tenth of a processor.
  const slow = { cpuUsage: async () => ({ user: (performance.now() - since) * 100, system: 0 }) }
  using _ = limitThread(slow, limitMs, () => patient.resolve(performance.now() - since))
  // Timers may be a millisecond early.
  t.ok((await patient.promise) > 4 * limitMs)
})

t.test('a task that is done is not ended', async (t) => {
  const idle = { cpuUsage: () => Promise.reject(new Error('the thread has ended')) }
  using limit = limitThread(idle, 20, () => t.fail('exceeded'))
  limit[Symbol.dispose]()
  await new Promise((resolve) => setTimeout(resolve, 150))
  t.pass()
})
