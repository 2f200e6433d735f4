import type { ErrorCode } from '@platen/domain/http/error-catalogue.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { Decider } from '@platen/event-store/decider.ts'
import type { Test } from 'tap'

/** Tests a decider: `given(t, decider, [created]).when(update).then([updated])`. */
export function given<State, Command, Event>(
  t: Test,
  { initialState, evolve, decide }: Decider<State, Command, Event>,
  events: readonly Event[],
) {
  const time = '2026-01-31T12:00:00.000Z'
  const state = events.reduce((before, event, revision) => evolve(before, event, { revision, time }), initialState)
  return {
    when: (command: Command) => ({
      // biome-ignore lint/suspicious/noThenProperty: given, when, then; nothing awaits it
      then: (expected: readonly Event[]) => t.strictSame(decide(command, state), expected),
      refused(code: ErrorCode) {
        try {
          t.fail(`was not refused: ${JSON.stringify(decide(command, state))}`)
        } catch (err) {
          t.equal(err instanceof DomainError && err.code, code)
        }
      },
    }),
  }
}
