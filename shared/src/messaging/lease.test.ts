import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { startNatsServer } from '../testing/nats-server.ts'
import { openBus } from './bus.ts'
import { whileHoldingLease } from './lease.ts'

const log = pino({ level: 'silent' })

t.test('one holder at a time; the next one follows when it stops; its own holder need not wait', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  const held: string[] = []
  const contend = (holder: string) => {
    const stop = new AbortController()
    const done = whileHoldingLease({
      bus,
      name: 'test',
      holder,
      log,
      stopping: stop.signal,
      async work(signal) {
        held.push(holder)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    })
    return async () => {
      stop.abort()
      await done
    }
  }
  const until = async (length: number) => {
    while (held.length < length) await delay(10)
  }
  const stopFirst = contend('first')
  await until(1)
  const stopSecond = contend('second')
  await delay(1_500)
  t.strictSame(held, ['first'], 'the second waits')
  await stopFirst()
  await until(2)
  t.strictSame(held, ['first', 'second'])
  const stopTwin = contend('second')
  await until(3)
  t.strictSame(held, ['first', 'second', 'second'], 'taken up again by its holder')
  await Promise.all([stopSecond(), stopTwin()])
})
