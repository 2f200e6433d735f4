import type { StoredEvent } from '@platen/shared/event-store/event-store.ts'
import { type Command, onlyArgument, parseOptions } from './command.ts'
import { history } from './history.ts'

export const stream: Command = {
  synopsis: '<stream>',
  summary: 'print the events of a stream as JSON lines: template-tpl_…, generation-pdf_…, delivery-msg_…',
  async run({ openStore, args, print, signal }) {
    const name = onlyArgument(parseOptions(args, {}).positionals, 'stream')
    let found = 0
    for await (const event of (await openStore()).readStream(name, { signal })) {
      print(line(event))
      found += 1
    }
    if (found === 0 && !signal.aborted) throw new Error(`there is no stream ${name}`)
  },
}

export const events: Command = {
  synopsis: '[--category NAME]… [--follow]',
  summary: 'print all events, or those of some categories; --follow waits for new ones',
  async run({ openStore, args, print, signal }) {
    const { values } = parseOptions(args, {
      category: { type: 'string', multiple: true },
      follow: { type: 'boolean', default: false },
    })
    const store = await openStore()
    const categories = values.category ? { categories: values.category } : {}
    for await (const event of history(store, { ...categories, follow: values.follow, signal })) print(line(event))
  },
}

function line({ stream, revision, type, recordedAt, data, metadata }: StoredEvent): string {
  return JSON.stringify({ stream, revision, type, recorded_at: recordedAt, data, metadata })
}
