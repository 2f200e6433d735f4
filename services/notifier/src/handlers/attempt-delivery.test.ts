import { StoreUnavailable } from '@platen/event-store/event-store.ts'
import { hashedId } from '@platen/foundation/runtime/ids.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { AttemptClaims } from '../schedule/attempt-claims.ts'
import { type AttemptDependencies, attemptDelivery } from './attempt-delivery.ts'

const testServices = await startBackingServices()
t.teardown(() => testServices[Symbol.asyncDispose]())
const { services } = testServices

t.test(
  'an attempt that was not made, as the event store is away, is free for any notifier and counts no stop',
  async (t) => {
    const due = { id: hashedId('msg', 'away'), attempt: 1 }
    const [claims, others] = ['one', 'other'].map((holder) => new AttemptClaims(services.bus, holder)) as [
      AttemptClaims,
      AttemptClaims,
    ]
    const readStream = () => {
      throw new StoreUnavailable('away')
    }
    const store = Object.assign(Object.create(services.store), { readStream })
    const dependencies = { store, claims, log: services.log } as Partial<AttemptDependencies> as AttemptDependencies
    await t.rejects(attemptDelivery(dependencies, due), { name: 'StoreUnavailable' })
    const taken = await others.take(due.id, due.attempt)
    t.match(taken, { times: 1 })
    if ('times' in taken) taken[Symbol.dispose]()
  },
)
