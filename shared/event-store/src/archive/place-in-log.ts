import type { Position } from '../event-store.ts'
import { epochOf } from './segment.ts'

/** Of two positions of one log the later one has the larger number: a row, or a byte. Undefined if the text is no position. */
export function placeInLog(position: Position): bigint | undefined {
  const [, , place = ''] = position.split(':')
  return /^\d{1,19}$/.test(place) ? BigInt(place) : undefined
}

/** Whether a reader at the position has not read the event at another one. False if they are of different logs. */
export function isBefore(position: Position | 'start', other: Position): boolean {
  if (position === 'start') return true
  const [place, end] = [placeInLog(position), placeInLog(other)]
  if (place === undefined || end === undefined || place >= end) return false
  return position.split(':')[1] === epochOf(other)
}
