import { InvalidPosition, type Position } from './event-store.ts'

/**
 * Where in its log a position is: a row of SQLite, or a byte of EventStoreDB. Of two positions of one log the later one has the larger
 * number. Undefined if the text is no position.
 */
export function placeInLog(position: Position): bigint | undefined {
  // `sqlite:<epoch>:<row>:<id>`, `esdb:<epoch>:<commit>:…`
  const [, , place = ''] = position.split(':')
  return /^\d{1,19}$/.test(place) ? BigInt(place) : undefined
}

/** Whether a reader at the position has not read the event at another one. False for positions of two logs. Throws InvalidPosition. */
export function isBefore(position: Position | 'start', other: Position | 'start'): boolean {
  if (other === 'start') return false
  if (position === 'start') return true
  const [place, end] = [placeInLog(position), placeInLog(other)]
  if (place === undefined || end === undefined) {
    throw new InvalidPosition(`${place === undefined ? position : other} is no position of a log`)
  }
  return place < end && epochIn(position) === epochIn(other)
}

const epochIn = (position: Position) => position.split(':')[1]
