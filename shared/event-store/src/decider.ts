/** Where an event is in its stream, and when its command was accepted (RFC 3339). */
export interface EventPlace {
  revision: number
  time: string
}

/**
 * An event that says nothing of the aggregate: one that this program cannot read, or that the event store itself has
 * recorded. It is a revision of its stream all the same.
 */
export interface Unreadable {
  type: '$unreadable'
  data: null
}

/** The pure logic of an aggregate. `Event` is the union of its events: a fold that forgets one of them does not compile. */
export interface Decider<State, Command, Event> {
  initialState: State
  /** Returns the events of a command, none if it changes nothing. Throws DomainError to refuse it. */
  decide(command: Command, state: State): Event[]
  evolve(state: State, event: Event | Unreadable, at: EventPlace): State
  /**
   * Whether the event alone determines the state, so that a fold can begin with it: the time to read an aggregate then
   * does not depend on its age. Without it, a fold begins with the first event.
   */
  isWhole?(event: Event | Unreadable): boolean
  /**
   * Identifies what `initialState` and `evolve` make of events. Set it if no event is whole and a stream may become long: from
   * time to time the state is recorded with an event, and a fold begins with the last state that has this id.
   */
  foldId?(): string
}

/** A decider of an aggregate with whole events. */
export type WholeDecider<State, Command, Event> = Decider<State, Command, Event> &
  Required<Pick<Decider<State, Command, Event>, 'isWhole'>>
