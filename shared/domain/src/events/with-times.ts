import type { Decider } from '@platen/event-store/decider.ts'

/** A state with the times that the API shows beside it, ISO 8601. */
export interface WithTimes<State> {
  state: State
  created_at: string
  updated_at: string
}

/** `created` is the type of the event that creates the aggregate, or creates it again after a deletion. */
export function withTimes<State, Command, Event extends { type: string }>(
  { initialState, decide, evolve }: Decider<State, Command, Event>,
  created: Event['type'],
): Decider<WithTimes<State>, Command, Event> {
  return {
    initialState: { state: initialState, created_at: '', updated_at: '' },
    decide: (command, { state }) => decide(command, state),
    evolve: ({ state, created_at }, event, at) => ({
      state: evolve(state, event, at),
      created_at: event.type === created || created_at === '' ? at : created_at,
      updated_at: at,
    }),
  }
}
