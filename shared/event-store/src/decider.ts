/** The pure logic of an aggregate. */
export interface Decider<State, Command, Event> {
  initialState: State
  /** Returns the events of a command, none if it changes nothing. Throws DomainError to refuse it. */
  decide(command: Command, state: State): Event[]
  evolve(state: State, event: Event): State
}
