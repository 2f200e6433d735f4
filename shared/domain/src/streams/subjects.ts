import { defined } from '@platen/foundation/json/defined.ts'
import { clockStream } from '@platen/messaging/connection/server-clock.ts'

/** Streams, subjects and durable names on JetStream. They are a public contract (docs/reference/events.md). */

export const streams = { commands: clockStream, events: 'EVENTS', deadLetters: 'DEAD_LETTERS' } as const

/** The stream that `platen replay` publishes to, for subscribers. Platen itself does not read it. */
export const replayStream = { name: 'REPLAY', subject: 'replay.>' } as const

/** Renderers ask the gateways for the keys of kept inputs. */
export const inputKeyRequests = { subject: 'input-keys', queue: 'gateways' } as const

/** `interactive`: a client waits for the answer. */
export type Priority = 'interactive' | 'batch'
export const priorities: readonly Priority[] = ['interactive', 'batch']

/**
 * The first asynchronous commands of an API key are in `batch`, further ones in `backlog`, so that a key with few
 * commands does not wait for all those of another key.
 */
export type DocumentQueue = Priority | 'backlog'
const documentQueues: readonly DocumentQueue[] = [...priorities, 'backlog']

/** Operations on PDFs have queues of their own, so that no document waits behind thousands of merges, nor a merge behind them. */
export type RenderQueue = DocumentQueue | `tools-${DocumentQueue}`
export const renderQueues: readonly RenderQueue[] = [
  ...documentQueues,
  ...documentQueues.map((queue) => `tools-${queue}` as const),
]

/** Whether clients wait for the answers of the commands in the queue. */
export const isInteractive = (queue: string) => queue === 'interactive' || queue === 'tools-interactive'

export const commandSubjects = {
  /** The id of a template or of a partial. */
  template: (id: string) => `commands.template.${id}`,
  allTemplate: 'commands.template.>',
  // The subject contains the owner's id, so that a filter finds the queued generations of one owner.
  render: (queue: RenderQueue, ownerId: string, generationId: string) =>
    `commands.render.${queue}.${ownerId}.${generationId}`,
  allRender: (queue: RenderQueue) => `commands.render.${queue}.>`,
  /** Of one queue, or of any. */
  renderOf: (ownerId: string, queue: RenderQueue | '*' = '*') => `commands.render.${queue}.${ownerId}.>`,
  /** Of any queue, and of any owner with `*`. */
  renderOne: (ownerId: string, generationId: string) => `commands.render.*.${ownerId}.${generationId}`,
  /** A delivery's id, or an owner's for a command about several deliveries. */
  delivery: (id: string) => `commands.delivery.${id}`,
  allDelivery: 'commands.delivery.>',
  cancel: (generationId: string) => `commands.cancel.${generationId}`,
  allCancel: 'commands.cancel.>',
} as const

/** The ids in the subject of a render command. */
export function renderSubjectIds(subject: string): { owner_id: string; api_key_id: string; generation_id: string } {
  const [, , , owner_id = '', generation_id = ''] = subject.split('.')
  return { owner_id, api_key_id: 'unknown', generation_id }
}

/**
 * For commands that take milliseconds. A client waits 4.5 s for the answer (`commandClient` of the gateway): if the
 * process with its command is killed, another one executes it within that time.
 */
const quickCommand = { stream: streams.commands, ackWaitMs: 2_000 }

function renderConsumer(queue: RenderQueue) {
  const filterSubject = commandSubjects.allRender(queue)
  return { stream: streams.commands, durable: `render-${queue}`, filterSubject } as const
}

/** The durable consumers of the services, each shared by all processes of its service. */
export const consumers = {
  template: { ...quickCommand, durable: 'template', filterSubject: commandSubjects.allTemplate },
  interactive: renderConsumer('interactive'),
  batch: renderConsumer('batch'),
  backlog: renderConsumer('backlog'),
  'tools-interactive': renderConsumer('tools-interactive'),
  'tools-batch': renderConsumer('tools-batch'),
  'tools-backlog': renderConsumer('tools-backlog'),
  cancel: { ...quickCommand, durable: 'cancel', filterSubject: commandSubjects.allCancel },
  // One consumer for each event type: several filters on one consumer need nats-server 2.10.
  completed: {
    stream: streams.events,
    durable: 'notifier-completed',
    filterSubject: 'events.generation.completed.>',
  },
  failed: { stream: streams.events, durable: 'notifier-failed', filterSubject: 'events.generation.failed.>' },
  cancelled: {
    stream: streams.events,
    durable: 'notifier-cancelled',
    filterSubject: 'events.generation.cancelled.>',
  },
  batchEnded: { stream: streams.events, durable: 'notifier-batch-ended', filterSubject: 'events.batch.ended.>' },
  delivery: { ...quickCommand, durable: 'delivery', filterSubject: commandSubjects.allDelivery },
} as const

/** Those that renderers read. */
export const rendererConsumers = [...renderQueues.map((queue) => consumers[queue]), consumers.cancel]

export const objectKeys = {
  /** Each attempt to render a generation has a key of its own. `GenerationCompleted` has the key of the recorded one. */
  pdf: (generationId: string, attempt: string) => `pdfs/${generationId}.${attempt}.pdf`,
  /** Each request writes an object of its own, so that equal requests at once do not replace it. */
  input: (generationId: string, request: string) => `inputs/${generationId}.${request}`,
  /** A kept input is encrypted. */
  keptInput: (generationId: string, request: string, days: number) => `inputs/${generationId}.${request}.${days}`,
  /**
   * The items of a batch are in parts, which count from 0. The name is the id of the batch, or begins with it and a dot. `version`: a
   * part that an erasure has written anew, encrypted.
   */
  batchInput: (name: string, part: number, version?: string) =>
    `inputs/${name}.${part}${version === undefined ? '' : `.${version}`}`,
  /**
   * Assets are stored by content, which two names of an owner may share. An upload whose bytes are not recorded yet
   * writes an object of its own.
   */
  asset: (ownerId: string, sha256: string, object: string) => `assets/${ownerId}.${sha256}.${object}`,
} as const

/** The generation of a PDF; undefined for other keys. */
export function generationOfPdf(key: string): string | undefined {
  return /^pdfs\/(pdf_[0-9a-z]{26})\.[0-9a-f]{16}\.pdf$/.exec(key)?.[1]
}

/** The generation whose input this is, kept or not; undefined for other keys. */
export function generationOfInput(key: string): string | undefined {
  return /^inputs\/(pdf_[0-9a-z]{26})(?:\.[0-9a-f]{16}(?:\.[1-9]\d{0,2})?)?$/.exec(key)?.[1]
}

/** The generation whose kept input this is, and for how many days; undefined for other keys. */
export function keptInputOf(key: string): { generationId: string; days: number } | undefined {
  const [, generationId, days] = /^inputs\/(pdf_[0-9a-z]{26})\.[0-9a-f]{16}\.([1-9]\d{0,2})$/.exec(key) ?? []
  return generationId === undefined ? undefined : { generationId, days: Number(days) }
}

/** The part of a batch's items: see `batchInput`. Undefined for other keys. */
export function batchPartOf(key: string): { batch: string; name: string; part: number; version?: string } | undefined {
  const pattern = /^inputs\/((bat_[0-9a-z]{26})(?:\.bat_[0-9a-z]{26})?)\.(\d{1,6})(?:\.([0-9a-f]{16}))?$/
  const [, name, batch, part, version] = pattern.exec(key) ?? []
  if (name === undefined || batch === undefined) return undefined
  return { batch, name, part: Number(part), ...defined({ version }) }
}

/** The owner and content of an asset's object; undefined for other keys. */
export function contentOfAsset(key: string): { ownerId: string; sha256: string; object: string } | undefined {
  const pattern = /^assets\/(own_(?:[0-9a-z]{26}|default))\.([0-9a-f]{64})\.([0-9a-f]{16})$/
  const [, ownerId, sha256, object] = pattern.exec(key) ?? []
  if (ownerId === undefined || sha256 === undefined || object === undefined) return undefined
  return { ownerId, sha256, object }
}

/** The attributes of spans that name the ids in a subject. */
export const idAttributes: Readonly<Record<string, string>> = {
  pdf: 'platen.generation_id',
  own: 'platen.owner_id',
  tpl: 'platen.template_id',
  msg: 'platen.delivery_id',
  bat: 'platen.batch_id',
}
