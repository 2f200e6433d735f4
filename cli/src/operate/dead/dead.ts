import type { RenderPdf } from '@platen/domain/generation/generation.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { publish } from '@platen/messaging/publish/publish.ts'
import {
  type Command,
  type CommandContext,
  countOption,
  jsonOption,
  noArguments,
  onlyArgument,
  parseOptions,
  UsageError,
} from '../../frame/command.ts'
import { alignColumns } from '../../frame/table.ts'
import { type DeadLetter, dropDeadLetter, readDeadLetter, readDeadLetters } from './dead-letters.ts'
import { renderAgain } from './render-again.ts'

export const listDead: Command = {
  synopsis: '[--json]',
  summary: 'list messages that could not be handled, with the reason (the stream DEAD)',
  async run({ openBus, args, print }) {
    const { values, positionals } = parseOptions(args, jsonOption)
    noArguments(positionals)
    const rows: string[][] = []
    for await (const { payload, ...letter } of readDeadLetters(await openBus())) {
      if (values.json) print(JSON.stringify({ ...letter, bytes: payload.byteLength }))
      else rows.push([String(letter.seq), letter.at, letter.subject, `${letter.deliveries} deliveries`, letter.reason])
    }
    for (const line of alignColumns(rows)) print(line)
    if (!values.json && rows.length === 0) print('no dead letters')
  },
}

export const showDead: Command = {
  synopsis: '<number> [--json]',
  summary: 'print a dead letter with its content',
  async run({ openBus, args, print }) {
    const { values, positionals } = parseOptions(args, jsonOption)
    const { payload, ...letter } = await readDeadLetter(await openBus(), readSeq(positionals))
    const text = Buffer.from(payload).toString()
    const content = parsed(text)
    if (values.json) return print(stringifyExact({ ...letter, content }))
    for (const [name, value] of Object.entries(letter)) print(`${name.padEnd(10)}  ${value}`)
    print(typeof content === 'string' ? content : stringifyExact(content, 2))
  },
}

export const retryDead: Command = {
  synopsis: '<number>… | --all [--json]',
  summary: 'send dead letters again and remove them; a document is rendered again as a new generation',
  async run(context) {
    const { bus, letters, json } = await chosen(context)
    const { print } = context
    for (const letter of letters) {
      const done = await retry(context, bus, letter)
      await dropDeadLetter(bus, letter.seq)
      print(json ? JSON.stringify({ seq: letter.seq, ...done.record }) : `${letter.seq}  ${done.text}`)
    }
    if (!json && letters.length === 0) print('no dead letters')
  },
}

export const dropDead: Command = {
  synopsis: '<number>… | --all [--json]',
  summary: 'remove dead letters for good',
  async run(context) {
    const { bus, letters, json } = await chosen(context)
    for (const { seq, subject } of letters) {
      await dropDeadLetter(bus, seq)
      context.print(json ? JSON.stringify({ seq, subject, removed: true }) : `${seq}  ${subject}  removed`)
    }
    if (!json && letters.length === 0) context.print('no dead letters')
  },
}

async function chosen({ openBus, args }: CommandContext) {
  const { values, positionals } = parseOptions(args, { all: { type: 'boolean', default: false }, ...jsonOption })
  if (values.all === positionals.length > 0) throw new UsageError('expected numbers of dead letters, or --all')
  const seqs = positionals.map((text) => readSeq([text]))
  const bus = await openBus()
  const letters: DeadLetter[] = []
  if (values.all) for await (const letter of readDeadLetters(bus)) letters.push(letter)
  else for (const seq of seqs) letters.push(await readDeadLetter(bus, seq))
  return { bus, letters, json: values.json }
}

async function retry(
  context: CommandContext,
  bus: Awaited<ReturnType<CommandContext['openBus']>>,
  { seq, subject, payload }: DeadLetter,
): Promise<{ text: string; record: object }> {
  if (subject.startsWith('events.')) {
    throw new Error(
      `${seq} is an event, which is in the log and is not sent again alone; see \`deliveries redeliver\` and \`events replay\`, then dead drop ${seq}`,
    )
  }
  const content = parsed(Buffer.from(payload).toString())
  if (subject.startsWith('commands.render.') && isRender(content)) {
    const id = await renderAgain(context, bus, content)
    const { generation_id } = content.data.request
    return { text: `${generation_id} is rendered again as ${id}`, record: { retried: generation_id, id } }
  }
  await publish(bus, { subject, payload, messageId: `retry-${seq}-${Date.now()}` })
  return { text: `sent again to ${subject}`, record: { subject } }
}

const isRender = (content: unknown): content is Envelope<RenderPdf> =>
  typeof content === 'object' && content !== null && 'type' in content && content.type === 'RenderPdf'

function readSeq(positionals: string[]): number {
  return countOption('the number', onlyArgument(positionals, 'number of a dead letter'))
}

/** Text that is not JSON is returned as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
