import type { Bus } from '@platen/messaging/connection/bus.ts'
import { readDeadLetter, readDeadLetters } from '@platen/service-kit/dead-letters/dead-letters.ts'
import { isWanted, type ListedLetter, listed } from '@platen/service-kit/dead-letters/find-letters.ts'
import { isAnyGiven, last, newest, readCount, time, UsageError, type Values } from '../../frame/options.ts'

/** The options that select dead letters. */
export const letterFilters = {
  reason: { value: 'TEXT', about: 'only those whose reason contains this text' },
  subject: { value: 'TEXT', about: 'only those whose subject begins with this text, such as commands.render' },
  since: time('given up at this time or later'),
  until: time('given up before this time'),
  ...last,
} as const

export type LetterFilter = Partial<Values<typeof letterFilters>>

/** Oldest first. */
export async function findLetters(bus: Bus, filter: LetterFilter): Promise<ListedLetter[]> {
  const letters: ListedLetter[] = []
  for await (const letter of readDeadLetters(bus)) {
    const one = withoutOwner(listed(letter))
    if (isWanted(one, filter)) letters.push(one)
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
  for (const seq of numbers.map(readSeq)) letters.push(withoutOwner(listed(await readDeadLetter(bus, seq))))
  return letters
}

/** The output for programs names an owner `owner_id`. */
function withoutOwner({ ownerId: _, ...letter }: ListedLetter): ListedLetter {
  return letter
}

export const readSeq = (text: string) => readCount(text, 'the number')
