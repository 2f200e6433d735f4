import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import { withCatalogue } from '@platen/event-store/with-catalogue.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { replay } from '@platen/service-kit/relay/replay.ts'
import { type Command, jsonOption, parseOptions, UsageError } from '../../frame/command.ts'

export const replayEvents: Command = {
  synopsis: '--since TIME [--until TIME] [--json]',
  summary: 'publish recorded events to NATS again, marked with the header Platen-Replay',
  async run({ openStore, openBus, env, args, print, signal }) {
    const { values } = parseOptions(args, { since: { type: 'string' }, until: { type: 'string' }, ...jsonOption })
    const since = timeOf('since', values.since ?? '')
    const until = values.until === undefined ? new Date() : timeOf('until', values.until)
    const log = createLogger('platen', 'silent')
    const store = withCatalogue(await openStore(), { catalogue: eventCatalogue, log })
    const publisher = await publisherOf(store, env)
    let count = 0
    for await (const _ of replay({ store, bus: await openBus(), since, until, signal, ...publisher })) count++
    print(values.json ? JSON.stringify({ published: count }) : `${count} events published again`)
  },
}

function timeOf(name: string, text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new UsageError(`--${name} must be a time such as 2026-01-31T12:00:00Z`)
  return time
}
