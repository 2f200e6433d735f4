import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { openInbox } from '@platen/messaging/requests/reply.ts'
import {
  contentOf,
  dropDeadLetter,
  findDeadLetter,
  readDeadLetter,
  readDeadLetters,
  requireRemoval,
  withoutTokens,
} from '@platen/service-kit/dead-letters/dead-letters.ts'
import { isWanted, type ListedLetter, listed } from '@platen/service-kit/dead-letters/find-letters.ts'
import { NotRetried, retryLetter } from '@platen/service-kit/dead-letters/retry-letter.ts'
import { type StatusOf, withSuccessor } from '@platen/service-kit/dead-letters/successor.ts'
import { any, type CommandContext, defineCommand, one } from '../../frame/command.ts'
import { dryRun, isAnyGiven, last, newest, readCount, time, UsageError, type Values } from '../../frame/options.ts'
import { alignColumns } from '../../frame/table.ts'
import { statusOf } from '../generations/read-generation.ts'

/** The options that select dead letters. */
const letterFilters = {
  reason: { value: 'TEXT', about: 'only those whose reason contains this text' },
  subject: { value: 'TEXT', about: 'only those whose subject begins with this text, such as commands.render' },
  since: time('given up at this time or later'),
  until: time('given up before this time'),
  ...last,
} as const

type LetterFilter = Partial<Values<typeof letterFilters>>

/** Oldest first. */
async function findLetters(bus: Bus, filter: LetterFilter): Promise<ListedLetter[]> {
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
async function chosenLetters(
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

const readSeq = (text: string) => readCount(text, 'the number')

const number = 'number of a dead letter'
const chosen = { all: { about: 'all of them, instead of numbers' }, ...letterFilters, ...dryRun } as const

export const listDead = defineCommand({
  name: 'dead-letters list',
  options: letterFilters,
  summary: 'list messages that could not be handled, with the reason (the stream DEAD_LETTERS)',
  async run(context, { json, ...filter }) {
    const { print, note } = context
    const rows: string[][] = []
    let unread: Error | undefined
    const found = (letter: ListedLetter) =>
      withSuccessor(letter, statuses(context)).catch((err: Error) => {
        unread = err
        return letter
      })
    for (const letter of await findLetters(await context.openBus(), filter)) {
      const { retriedAs, ...one } = unread ? letter : await found(letter)
      if (json) print(JSON.stringify({ ...one, ...(retriedAs && { retried_as: retriedAs }) }))
      else {
        const again = retriedAs ? ` (rendered again as ${retriedAs})` : ''
        rows.push([String(one.seq), one.at, one.subject, `${one.deliveries} deliveries`, `${one.reason}${again}`])
      }
    }
    for (const line of alignColumns(rows)) print(line)
    if (unread) note(`which of them are rendered again is not known: ${unread.message}`)
    if (!json && rows.length === 0) print('no dead letters')
  },
})

export const showDead = defineCommand({
  name: 'dead-letters show',
  argument: one(number),
  summary: 'print a dead letter with its content',
  async run({ openBus, print }, { argument, json }) {
    const { payload, ...letter } = await readDeadLetter(await openBus(), readSeq(argument))
    const content = withoutTokens(contentOf(payload))
    if (json) return print(stringifyExact({ ...letter, content }))
    for (const [name, value] of Object.entries(letter)) print(`${name.padEnd(10)}  ${value}`)
    print(typeof content === 'string' ? content : stringifyExact(content, 2))
  },
})

export const retryDead = defineCommand({
  name: 'dead-letters retry',
  argument: any(number),
  options: chosen,
  summary: 'send messages that could not be handled again, and remove the dead letters of those that are executed',
  notes: [
    'A document is rendered as a new generation, whose webhook is sent, too. Its dead letter is removed when that has ended, and kept if',
    'it fails. Until then, another retry says which generation it is, and renders nothing.',
    'The dead letter of a command that is refused, or that no service answers within ten seconds, is kept.',
    'Events are not retried: see replay.',
  ],
  async run(context, { argument, json, 'dry-run': isDryRun, ...choice }) {
    const { print, signal } = context
    const bus = await context.openBus()
    const letters = await chosenLetters(bus, argument, choice)
    await requireRemoval(bus)
    if (isDryRun) return listOnly(letters, { print, json, would: 'would be sent again' })
    using inbox = openInbox(bus.nats)
    const kept: string[] = []
    for (const [at, { seq }] of letters.entries()) {
      if (signal.aborted) {
        kept.push(`interrupted; ${letters.length - at} dead letters were not looked at`)
        break
      }
      try {
        const letter = await findDeadLetter(bus, seq)
        if (!letter) throw new NotRetried('it was removed meanwhile', { remedy: 'it is not sent again' })
        const { text, record } = await retryLetter({ ...context, bus, inbox, statusOf: statuses(context) }, letter)
        print(json ? JSON.stringify({ seq, ...record }) : `${seq}  ${text}`)
      } catch (err) {
        const reason = asBusUnavailable(err)
        if (reason instanceof DependencyUnavailable) {
          // Each of the others would wait for the same unavailable service.
          kept.push(`${seq}: ${reason.message}; ${letters.length - at - 1} other dead letters were not looked at`)
          break
        }
        const remedy = err instanceof NotRetried ? err.remedy : undefined
        kept.push(`${seq}: ${(err as Error).message}; ${remedy ?? 'its dead letter is kept'}`)
      }
    }
    if (kept.length > 0) throw new Error(kept.join('\n'))
    if (!json && letters.length === 0) print('no dead letters')
  },
})

export const dropDead = defineCommand({
  name: 'dead-letters drop',
  argument: any(number),
  options: chosen,
  summary: 'remove dead letters for good',
  async run({ openBus, print }, { argument, json, 'dry-run': isDryRun, ...choice }) {
    const bus = await openBus()
    const letters = await chosenLetters(bus, argument, choice)
    await requireRemoval(bus)
    if (isDryRun) return listOnly(letters, { print, json, would: 'would be removed' })
    for (const { seq, subject } of letters) {
      await dropDeadLetter(bus, seq)
      print(json ? JSON.stringify({ seq, subject, removed: true }) : `${seq}  ${subject}  removed`)
    }
    if (!json && letters.length === 0) print('no dead letters')
  },
})

/** How generations stand, in the event store and in the queue. They are opened when the first one is looked for. */
function statuses({ openStore, openBus }: CommandContext): StatusOf {
  return async (id) => statusOf(await openStore(), await openBus(), id)
}

interface Listing {
  print: (line: string) => void
  json: boolean
  would: string
}

function listOnly(letters: readonly ListedLetter[], { print, json, would }: Listing): void {
  for (const letter of letters) {
    if (json) print(JSON.stringify({ ...letter, dry_run: true }))
    else print(`${letter.seq}  ${letter.subject}  ${letter.reason}  ${would}`)
  }
  if (!json && letters.length === 0) print('no dead letters')
}
