import { createHash } from 'node:crypto'
import type { Decider } from '@platen/event-store/decider.ts'
import { type EventDefinition, versionOf } from './define-event.ts'

type FoldedEvent = { type: string; data: unknown }

export interface IdentifiedFold<State, Event> extends Pick<Decider<State, never, Event>, 'initialState' | 'evolve'> {
  /** All events of the aggregate. */
  events: Readonly<Record<string, EventDefinition>>
}

/** The examples are folded in every order up to this length, with repetitions. */
const maxEvents = 3
const time = '2026-01-31T12:00:00.000Z'

/**
 * The `foldId` of a decider. It is made of the definitions of the events, and of the states that their examples lead to: a
 * version of the program that knows another event, reads another field or makes another state has another id. A change of
 * `evolve` that no example shows needs an example that does.
 */
export function foldIdOf<State, Event extends FoldedEvent>(fold: IdentifiedFold<State, Event>): () => string {
  let id: string | undefined
  return () => {
    id ??= compute(fold)
    return id
  }
}

function compute<State, Event extends FoldedEvent>({ events, initialState, evolve }: IdentifiedFold<State, Event>) {
  const definitions = Object.values(events)
  const hash = createHash('sha256')
  for (const event of definitions) hash.update(JSON.stringify([event.type, versionOf(event), event.data]))
  const examples = definitions.map(({ type, example }) => ({ type, data: example.data }) as FoldedEvent as Event)
  let states = [initialState]
  for (let revision = 0; revision < maxEvents; revision++) {
    states = states.flatMap((state) => examples.map((event) => evolve(state, event, { revision, time })))
    hash.update(JSON.stringify(states))
  }
  return hash.digest('hex').slice(0, 16)
}
