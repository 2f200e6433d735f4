import type { JsonObject } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { Type } from 'typebox'
import { defineEvent } from './define-event.ts'
import { foldIdOf } from './fold-id.ts'

const aggregate = { category: 'sum' }
const data = Type.Object({ by: Type.Integer() })
const Added = defineEvent({
  type: 'Added',
  aggregate,
  summary: '',
  data,
  describe: () => [],
  example: { id: 'sum_1', data: { by: 7 } },
})
const Doubled = defineEvent({
  type: 'Doubled',
  aggregate,
  summary: '',
  data: Type.Object({}),
  describe: () => [],
  example: { id: 'sum_1', data: {} },
})
type Event = { type: string; data: { by?: number } }
const evolve = (sum: number, { type, data }: Event) => (type === 'Doubled' ? 2 * sum : sum + (data.by ?? 0))
const fold = { events: { Added, Doubled }, initialState: 0, evolve }
const idOf = (changes: Partial<typeof fold> = {}) => foldIdOf({ ...fold, ...changes })()

t.test('a fold has one id, in each process', async (t) => {
  t.match(idOf(), /^[0-9a-f]{16}$/)
  t.equal(idOf(), idOf())
})

t.test('a fold that knows other events, reads other fields or makes another state has another id', async (t) => {
  const withNote = Type.Object({ ...data.properties, note: Type.Optional(Type.String()) })
  const ids = [
    idOf(),
    idOf({ initialState: 1 }),
    idOf({ evolve: (sum, event) => evolve(sum, event) % 10 }),
    idOf({ evolve: (sum, event) => (event.type === 'Added' && sum === 14 ? 0 : evolve(sum, event)) }),
    idOf({ events: { ...fold.events, Added: { ...Added, data: withNote } as never } }),
    idOf({ events: { ...fold.events, Added: { ...Added, upcasters: [(older: JsonObject) => older] } as never } }),
    idOf({ events: { ...fold.events, Halved: { ...Doubled, type: 'Halved' } } as never }),
  ]
  t.equal(new Set(ids).size, ids.length)
})
