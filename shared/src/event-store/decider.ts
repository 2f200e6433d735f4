/** The pure core of an aggregate: what it is, what may happen, what that does to it. */
export interface Decider<State, Command, Event> {
  initialState: State
  /** Throws DomainError when the command is refused; an empty list when it changes nothing. */
  decide(command: Command, state: State): Event[]
  evolve(state: State, event: Event): State
}
