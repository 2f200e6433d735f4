import type { Position } from './event-store.ts'

/** Whether a position is before another one of the same log. Both engines put the place in the log third: `sqlite:<epoch>:<row>:<id>`. */
export function isBefore(one: Position | 'start', other: Position | 'start'): boolean {
  if (other === 'start') return false
  return one === 'start' || placeOf(one) < placeOf(other)
}

function placeOf(position: Position): bigint {
  const [, , place] = position.split(':')
  if (place === undefined || !/^\d+$/.test(place)) throw new Error(`the position ${position} has no place in the log`)
  return BigInt(place)
}
