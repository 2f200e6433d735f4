import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { any, defineCommand, one } from '../../frame/command.ts'
import { readCount, UsageError } from '../../frame/options.ts'
import { alignColumns } from '../../frame/table.ts'
import {
  contentOf,
  type DeadLetter,
  dropDeadLetter,
  readDeadLetter,
  readDeadLetters,
  requireRemoval,
} from './dead-letters.ts'
import { NotRetried, retryLetter } from './retry-letter.ts'

const number = 'number of a dead letter'
const all = { all: { about: 'all of them, instead of numbers' } } as const

export const listDead = defineCommand({
  name: 'dead list',
  summary: 'list messages that could not be handled, with the reason (the stream DEAD)',
  async run({ openBus, print }, { json }) {
    const rows: string[][] = []
    for await (const { payload, ...letter } of readDeadLetters(await openBus())) {
      if (json) print(JSON.stringify({ ...letter, bytes: payload.byteLength }))
      else rows.push([String(letter.seq), letter.at, letter.subject, `${letter.deliveries} deliveries`, letter.reason])
    }
    for (const line of alignColumns(rows)) print(line)
    if (!json && rows.length === 0) print('no dead letters')
  },
})

export const showDead = defineCommand({
  name: 'dead show',
  argument: one(number),
  summary: 'print a dead letter with its content',
  async run({ openBus, print }, { argument, json }) {
    const { payload, ...letter } = await readDeadLetter(await openBus(), readSeq(argument))
    const content = contentOf(payload)
    if (json) return print(stringifyExact({ ...letter, content }))
    for (const [name, value] of Object.entries(letter)) print(`${name.padEnd(10)}  ${value}`)
    print(typeof content === 'string' ? content : stringifyExact(content, 2))
  },
})

export const retryDead = defineCommand({
  name: 'dead retry',
  argument: any(number),
  options: all,
  summary: 'send messages that could not be handled again, and remove the dead letters of those that are executed',
  notes: [
    'A document is rendered as a new generation, whose webhook is sent, too.',
    'The dead letter of a command that is refused, or that no service answers within ten seconds, is kept.',
    'Events are not retried: see replay.',
  ],
  async run(context, { argument, json, ...values }) {
    const { print } = context
    const bus = await context.openBus()
    const letters = await chosen(bus, argument, values.all)
    await requireRemoval(bus)
    const kept: string[] = []
    for (const letter of letters) {
      try {
        const { text, record } = await retryLetter(context, bus, letter)
        await dropDeadLetter(bus, letter.seq)
        print(json ? JSON.stringify({ seq: letter.seq, ...record }) : `${letter.seq}  ${text}`)
      } catch (err) {
        if (!(err instanceof NotRetried)) throw err
        if (err.hasNewLetter) await dropDeadLetter(bus, letter.seq)
        kept.push(err.message)
      }
    }
    if (kept.length > 0) throw new Error(kept.join('\n'))
    if (!json && letters.length === 0) print('no dead letters')
  },
})

export const dropDead = defineCommand({
  name: 'dead drop',
  argument: any(number),
  options: all,
  summary: 'remove dead letters for good',
  async run({ openBus, print }, { argument, json, ...values }) {
    const bus = await openBus()
    const letters = await chosen(bus, argument, values.all)
    await requireRemoval(bus)
    for (const { seq, subject } of letters) {
      await dropDeadLetter(bus, seq)
      print(json ? JSON.stringify({ seq, subject, removed: true }) : `${seq}  ${subject}  removed`)
    }
    if (!json && letters.length === 0) print('no dead letters')
  },
})

async function chosen(bus: Bus, numbers: readonly string[], isAll: boolean): Promise<DeadLetter[]> {
  if (isAll === numbers.length > 0) throw new UsageError('expected numbers of dead letters, or --all')
  const seqs = numbers.map(readSeq)
  const letters: DeadLetter[] = []
  if (isAll) for await (const letter of readDeadLetters(bus)) letters.push(letter)
  else for (const seq of seqs) letters.push(await readDeadLetter(bus, seq))
  return letters
}

const readSeq = (text: string) => readCount(text, 'the number')
