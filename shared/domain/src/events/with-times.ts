import type { WholeDecider } from '@platen/event-store/decider.ts'

/** A state with the times that the API shows beside it, ISO 8601. */
export interface WithTimes<State> {
  state: State
  created_at: string
  updated_at: string
}

/** Adds to the state of an aggregate when it was created, or created again after a deletion. */
export function withTimes<
  State extends { status: 'absent' } | { status: string; createdAt: string },
  Command,
  Event extends { type: string },
>({
  initialState,
  decide,
  evolve,
  isWhole,
}: WholeDecider<State, Command, Event>): WholeDecider<WithTimes<State>, Command, Event> {
  return {
    initialState: { state: initialState, created_at: '', updated_at: '' },
    decide: (command, { state }) => decide(command, state),
    evolve({ state: before }, event, at) {
      const state = evolve(before, event, at)
      return { state, created_at: 'createdAt' in state ? state.createdAt : at.time, updated_at: at.time }
    },
    isWhole,
  }
}
