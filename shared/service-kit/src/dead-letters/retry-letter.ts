import type { RenderPdf } from '@platen/domain/generation/generation.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import type { Inbox, Reply } from '@platen/messaging/requests/reply.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import { type RenderingAgain, renderAgain } from '../commands/render-again.ts'
import { storedInput } from '../inputs/stored-input.ts'
import { contentOf, type DeadLetter, dropDeadLetter, findLetterOf } from './dead-letters.ts'
import { isDocument, type StatusOf, successorOf } from './successor.ts'

/** How long a reply is waited for. After that, the command is not executed any more. */
const replyTimeoutMs = 10_000

/** The message was not executed. */
export class NotRetried extends Error {
  override readonly name = 'NotRetried'
  /** What to do with the command line. */
  readonly remedy: string | undefined

  /** The message is the same for all dead letters of a kind, so that they can be counted by it. */
  constructor(message: string, { remedy }: { remedy?: string } = {}) {
    super(message)
    this.remedy = remedy
  }
}

type AnyCommand = Envelope<{ type: string; data: unknown }>

export interface Retrying extends RenderingAgain {
  inbox: Inbox
  statusOf: StatusOf
}

/** `generation_id`: the new generation, if it was a document. */
export interface Retried {
  text: string
  record: object
  generation_id?: string
}

/**
 * Sends the message of a dead letter again. When this resolves, a command is executed and its letter is removed. That of a document has
 * the input, and stays until the new generation has ended: the notifier removes it. Throws NotRetried.
 */
export async function retryLetter(retrying: Retrying, letter: DeadLetter): Promise<Retried> {
  const { bus } = retrying
  const { seq, subject, payload } = letter
  if (subject.startsWith('events.')) {
    throw new NotRetried('it is an event, which is in the log and is not sent again alone', {
      remedy: `see \`deliveries redeliver\` and \`replay --to-events\`, then dead-letters drop ${seq}`,
    })
  }
  const dropIt = `see dead-letters show ${seq}, then dead-letters drop`
  if (!letter.intact) throw new NotRetried('its data are not those that were sent', { remedy: dropIt })
  const command = contentOf(payload)
  if (!isCommand(command)) {
    throw new NotRetried('it is not a command, so no service can handle it', { remedy: dropIt })
  }
  if (isDocument(letter)) {
    if (isRender(command)) return renderLetter(retrying, letter, command.data)
    throw new NotRetried(`it is a ${command.type} that no service can read`, { remedy: dropIt })
  }
  const reply = await execute(retrying, subject, command)
  if (reply?.ok) {
    await dropDeadLetter(bus, seq)
    return { text: `${command.type} is executed`, record: { subject, type: command.type } }
  }
  if (!reply) {
    const limit = `${replyTimeoutMs / 1_000} s`
    throw new NotRetried(`no service has answered ${command.type} within ${limit}`)
  }
  const { code, message } = reply.failure
  if (code !== 'INTERNAL_ERROR') {
    throw new NotRetried(`${command.type} was refused: ${code}: ${message}`)
  }
  // The service has made another letter of it, which stands for both.
  await dropDeadLetter(bus, seq)
  throw new NotRetried(message, { remedy: 'it is a dead letter again, see dead-letters list' })
}

async function renderLetter(
  retrying: Retrying,
  letter: DeadLetter,
  { request, requires, input, input_key }: RenderPdf['data'],
): Promise<Retried> {
  const { generation_id } = request
  const { id, status, failed } = await successorOf(letter, retrying.statusOf)
  if (failed !== undefined && (await findLetterOf(retrying.bus, failed)))
    throw new NotRetried('its document could not be handled again either, and is another dead letter', {
      remedy: 'see dead-letters list',
    })
  if (status === undefined) {
    const stored = input ? { input } : await storedInput(retrying, { ...request, input_key })
    await renderAgain(retrying, { ...stored, request, requires }, id)
  }
  return {
    text: `${generation_id} is rendered again as ${id}`,
    record: { retried: generation_id, id },
    generation_id: id,
  }
}

/**
 * Sends the command with a new deadline, because it would be refused after the old one. It keeps its id, so that events
 * that it has recorded are not recorded again. Undefined if no reply arrives in time.
 */
async function execute(
  { bus, inbox }: Retrying,
  subject: string,
  command: AnyCommand,
): Promise<Reply<unknown> | undefined> {
  using pending = inbox.expect<unknown>()
  const deadline = new Date(bus.clock.now() + replyTimeoutMs).toISOString()
  const again = { ...command, metadata: { ...command.metadata, deadline } }
  // JetStream would drop a message with the id of one that was sent in the last two minutes.
  const messageId = crypto.randomUUID()
  await sendCommand(bus, { subject, command: again, replyTo: pending.subject, messageId })
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(timeout.resolve, replyTimeoutMs, undefined)
  return await Promise.race([pending.answer, timeout.promise]).finally(() => clearTimeout(timer))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether a service finds out to whom it replies, and what. It checks the rest. */
function isCommand(content: unknown): content is AnyCommand {
  return (
    isObject(content) && 'type' in content && 'data' in content && 'metadata' in content && isObject(content.metadata)
  )
}

function isRender(command: AnyCommand): command is Envelope<RenderPdf> {
  const { request } = (command.data ?? {}) as { request?: { generation_id?: unknown } | null }
  return command.type === 'RenderPdf' && typeof request?.generation_id === 'string'
}
