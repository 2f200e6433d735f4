import type { RenderPdf } from '@platen/domain/generation/generation.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { MalformedMessage, parseJson } from '@platen/messaging/envelopes/command-codec.ts'
import { publish } from '@platen/messaging/publish/publish.ts'
import { any, type CommandContext, defineCommand, one } from '../../frame/command.ts'
import { readCount, UsageError } from '../../frame/options.ts'
import { alignColumns } from '../../frame/table.ts'
import { renderAgain } from '../generations/render-again.ts'
import { type DeadLetter, dropDeadLetter, readDeadLetter, readDeadLetters } from './dead-letters.ts'

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
    const content = parsed(payload)
    if (json) return print(stringifyExact({ ...letter, content }))
    for (const [name, value] of Object.entries(letter)) print(`${name.padEnd(10)}  ${value}`)
    print(typeof content === 'string' ? content : stringifyExact(content, 2))
  },
})

export const retryDead = defineCommand({
  name: 'dead retry',
  argument: any(number),
  options: all,
  summary: 'send messages that could not be handled again, and remove their dead letters',
  notes: [
    'A document is rendered as a new generation, whose webhook is sent, too.',
    'Events are not retried: see replay.',
  ],
  async run(context, { argument, json, ...values }) {
    const { print } = context
    const bus = await context.openBus()
    const letters = await chosen(bus, argument, values.all)
    for (const letter of letters) {
      const done = await retry(context, bus, letter)
      await dropDeadLetter(bus, letter.seq)
      print(json ? JSON.stringify({ seq: letter.seq, ...done.record }) : `${letter.seq}  ${done.text}`)
    }
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

async function retry(
  context: CommandContext,
  bus: Bus,
  { seq, subject, payload }: DeadLetter,
): Promise<{ text: string; record: object }> {
  if (subject.startsWith('events.')) {
    throw new Error(
      `${seq} is an event, which is in the log and is not sent again alone; see \`deliveries redeliver\` and \`replay --to-events\`, then dead drop ${seq}`,
    )
  }
  const content = parsed(payload)
  if (subject.startsWith('commands.render.') && isRender(content)) {
    const id = await renderAgain(context, bus, content.data)
    const { generation_id } = content.data.request
    return { text: `${generation_id} is rendered again as ${id}`, record: { retried: generation_id, id } }
  }
  await publish(bus, { subject, payload, messageId: `retry-${seq}-${Date.now()}` })
  return { text: `sent again to ${subject}`, record: { subject } }
}

const isRender = (content: unknown): content is Envelope<RenderPdf> =>
  typeof content === 'object' && content !== null && 'type' in content && content.type === 'RenderPdf'

const readSeq = (text: string) => readCount(text, 'the number')

/** Text that is not JSON is returned as it is. */
function parsed(payload: Uint8Array): unknown {
  try {
    return parseJson(payload)
  } catch (err) {
    if (!(err instanceof MalformedMessage)) throw err
    return Buffer.from(payload).toString()
  }
}
