import type { Bus } from '@platen/messaging/connection/bus.ts'
import { isAnyGiven, last, newest, readCount, time, UsageError, type Values } from '../../frame/options.ts'
import { type DeadLetter, readDeadLetter, readDeadLetters } from './dead-letters.ts'

/** The options that select dead letters. */
export const letterFilters = {
  reason: { value: 'TEXT', about: 'only those whose reason contains this text' },
  subject: { value: 'TEXT', about: 'only those whose subject begins with this text, such as commands.render' },
  since: time('given up at this time or later'),
  until: time('given up before this time'),
  ...last,
} as const

export type LetterFilter = Partial<Values<typeof letterFilters>>

/** A dead letter without its content, because the contents of all may not fit into memory. */
export type ListedLetter = Omit<DeadLetter, 'payload'> & { bytes: number }

/** Oldest first. */
export async function findLetters(bus: Bus, filter: LetterFilter): Promise<ListedLetter[]> {
  const { reason = '', subject = '', since = 0, until = Number.POSITIVE_INFINITY } = filter
  const letters: ListedLetter[] = []
  for await (const letter of readDeadLetters(bus)) {
    const at = Date.parse(letter.at)
    const isWanted = letter.reason.includes(reason) && letter.subject.startsWith(subject) && at >= since && at < until
    if (isWanted) letters.push(listed(letter))
  }
  return newest(letters, filter.last)
}

/**
 * The letters with these numbers, all letters, or those that match the options. Throws UsageError if none of the three
 * is given.
 */
export async function chosenLetters(
  bus: Bus,
  numbers: readonly string[],
  { all, ...filter }: LetterFilter & { all: boolean },
): Promise<ListedLetter[]> {
  const isRange = all || isAnyGiven(filter)
  if (isRange === numbers.length > 0) {
    throw new UsageError('expected numbers of dead letters, or --all, --reason, --subject, --since, --until or --last')
  }
  if (isRange) return findLetters(bus, filter)
  const letters: ListedLetter[] = []
  for (const seq of numbers.map(readSeq)) letters.push(listed(await readDeadLetter(bus, seq)))
  return letters
}

const listed = ({ payload, ...letter }: DeadLetter): ListedLetter => ({ ...letter, bytes: payload.byteLength })

export const readSeq = (text: string) => readCount(text, 'the number')
