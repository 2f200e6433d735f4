import type { CommandContext } from '../../frame/command.ts'
import { eventFilter, type FilterValues } from '../events/event-filter.ts'
import { isSelected, publishedCategories } from './publish-events.ts'

/** Prints how many events of each type a replay would publish. */
export async function countEvents(
  { openStore, print, progress, signal }: CommandContext,
  filter: FilterValues,
  json: boolean,
) {
  const { categories = publishedCategories, matches } = eventFilter(filter)
  const types = new Map<string, number>()
  let total = 0
  using bar = progress('counting')
  const store = await openStore()
  for await (const event of store.readLog({ after: 'start', categories, signal })) {
    if (!isSelected({ matches }, event)) continue
    types.set(event.type, (types.get(event.type) ?? 0) + 1)
    bar.at(++total)
  }
  if (json) return print(JSON.stringify({ events: total, types: Object.fromEntries(types), dry_run: true }))
  for (const [type, number] of types) print(`${type}  ${number}`)
  print(`${total} events would be published`)
}
