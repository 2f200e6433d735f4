import type { RecordedEvent } from '@platen/domain/event-log/recorded-event.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { stepOf } from '@platen/service-kit/trace/timeline.ts'
import { withoutTokens } from '@platen/service-kit/trace/without-tokens.ts'

const mostChars = 500
/** Of the data of an event in a list: a page has a hundred events, and each may have a megabyte. */
const mostCharsOfAll = 20_000
const cut = '…'

/** An event of a list: with a part of its data, if that is much. */
export const eventBody = (event: StoredEvent): RecordedEvent => bodyWith(event, shortened)

/** An event with all of its data. */
export const wholeEventBody = (event: StoredEvent): RecordedEvent => bodyWith(event, (data) => data)

function bodyWith(event: StoredEvent, shown: (data: object) => unknown): RecordedEvent {
  const { stream, revision, position, id, type, recordedAt } = event
  const { at, what, request_id, command_id } = stepOf(event, { isNewest: true })
  const { data } = withoutTokens(event)
  return {
    position,
    id,
    stream,
    revision,
    category: categoryOf(stream),
    type,
    at,
    what,
    recorded_at: recordedAt.toISOString(),
    ...defined({ request_id, command_id }),
    ...(isObject(data) && { data: shown(data) as JsonObject }),
  }
}

const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null && !Array.isArray(data)

const shortText = (text: string) =>
  text.length > mostChars ? `${text.slice(0, mostChars).toWellFormed()}${cut}` : text

/** Long texts and names are cut, and so is what follows the first `mostCharsOfAll` characters. */
function shortened(data: object): unknown {
  let left = mostCharsOfAll
  const shorten = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const shown = shortText(value)
      left -= shown.length
      return shown
    }
    // As much as a separator and a number.
    left -= 10
    if (typeof value !== 'object' || value === null) return value
    return Array.isArray(value) ? shortenItems(value) : shortenMembers(value)
  }
  const shortenItems = (items: readonly unknown[]) => {
    const shown: unknown[] = []
    for (const item of items) {
      if (left <= 0) return [...shown, cut]
      shown.push(shorten(item))
    }
    return shown
  }
  const shortenMembers = (members: object) => {
    const shown: [string, unknown][] = []
    for (const [name, value] of Object.entries(members)) {
      if (left <= 0) return Object.fromEntries([...shown, [cut, cut]])
      const shownName = shortText(name)
      left -= shownName.length
      shown.push([shownName, shorten(value)])
    }
    return Object.fromEntries(shown)
  }
  return shorten(data)
}
