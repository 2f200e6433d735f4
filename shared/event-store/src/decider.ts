/** The pure logic of an aggregate. */
export interface Decider<State, Command, Event> {
  initialState: State
  /** Returns the events of a command, none if it changes nothing. Throws DomainError to refuse it. */
  decide(command: Command, state: State): Event[]
  /** `at`: when the command that caused the event was accepted, ISO 8601. */
  evolve(state: State, event: Event, at: string): State
}
