import type { GenerationRequest, RenderPdf } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/domain/generation/generation-state.ts'
import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load, operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { askService } from '../../frame/ask-service.ts'
import {
  type Command,
  type CommandContext,
  jsonOption,
  onlyArgument,
  parseOptions,
  UsageError,
} from '../../frame/command.ts'
import { findDeadRender } from '../dead/dead-letters.ts'
import { renderAgain } from '../dead/render-again.ts'

export const showGeneration: Command = {
  synopsis: '<pdf id> [--json]',
  summary: 'print a generation: its status, request, result and file',
  details: ['`trace` prints its history with times.'],
  async run(context) {
    const { args, print } = context
    const { values, positionals } = parseOptions(args, jsonOption)
    const id = onlyArgument(positionals, 'generation id')
    const state = await read(await context.openStore(), id)
    const record = state.status === 'absent' ? await queued(context, id) : { id, ...bodyOf(state) }
    const file = state.status === 'completed' ? await fileOf(context, state.result.object_key) : undefined
    const shown = { created_at: new Date(idTimeMs(id)).toISOString(), ...record, ...(file && { file }) }
    if (values.json) return print(JSON.stringify(shown))
    for (const [name, value] of Object.entries(shown)) {
      print(`${name.padEnd(10)}  ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    }
  },
}

export const retryGeneration: Command = {
  synopsis: '<pdf id> [--json]',
  summary: 'render a document again, as a new generation, if its input is still stored',
  details: [
    'Stored are inputs of requests over 640 KiB (for INPUT_RETENTION_DAYS), and those of dead letters and of queued generations.',
    'The webhook of the request is sent for the new generation, too.',
  ],
  async run(context) {
    const { args, print } = context
    const { values, positionals } = parseOptions(args, jsonOption)
    const id = onlyArgument(positionals, 'generation id')
    const state = await read(await context.openStore(), id)
    const bus = await context.openBus()
    const command = await commandOf(bus, id, state)
    if (!command) {
      const reason =
        state.status === 'absent' ? `there is no generation ${id}` : `the input of ${id} is not stored any more`
      throw new Error(`${reason}; send the request again`)
    }
    const renewed = await renderAgain(context, bus, command)
    print(values.json ? JSON.stringify({ id: renewed, retried: id }) : `${id} is rendered again as ${renewed}`)
  },
}

export const cancelGenerations: Command = {
  synopsis: '<pdf id>… [--json]',
  summary: 'cancel generations that are queued or being rendered',
  async run(context) {
    const { args, print } = context
    const { values, positionals } = parseOptions(args, jsonOption)
    if (positionals.length === 0) throw new UsageError('expected generation ids')
    const store = await context.openStore()
    const bus = await context.openBus()
    let failures = 0
    for (const id of positionals) {
      const request = requestOf(id, await read(store, id)) ?? (await queuedCommand(bus, id))?.data.request
      if (!request) throw new Error(`there is no generation ${id}`)
      const command = { type: 'CancelGeneration', data: { request }, metadata: operatorMetadata() }
      const subject = commandSubjects.cancel(id)
      const { type } = await askService<GenerationOutcome>(bus, { subject, command, service: 'renderer' })
      const cancelled = type === 'GenerationCancelled'
      if (!cancelled) failures += 1
      if (values.json) print(JSON.stringify({ id, cancelled, ended_as: type }))
      else print(`${id}  ${cancelled ? 'cancelled' : `had ended before: ${type}`}`)
    }
    return failures > 0 ? 1 : 0
  },
}

async function read(store: EventStore, id: string): Promise<GenerationState> {
  if (!/^pdf_[0-9a-z]{26}$/.test(id)) throw new Error(`${id} is not an id of a generation, pdf_…`)
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  return (await load(store, fold, `generation-${id}`)).state
}

function bodyOf(state: Exclude<GenerationState, { status: 'absent' }>): Record<string, unknown> {
  const { status, request } = state
  if (status === 'completed') return { status, request, result: state.result }
  if (status === 'failed') return { status, request, error: state.failure }
  return { status, request }
}

async function queued(context: CommandContext, id: string): Promise<Record<string, unknown>> {
  const command = await queuedCommand(await context.openBus(), id)
  if (!command) throw new Error(`there is no generation ${id}, neither in the event store nor in the queue`)
  return { id, status: 'queued', request: command.data.request }
}

async function queuedCommand({ jsm }: Bus, id: string): Promise<Envelope<RenderPdf> | undefined> {
  const last_by_subj = `commands.render.*.*.${id}`
  const message = await found(jsm.streams.getMessage(streams.commands, { last_by_subj }))
  return message?.json<Envelope<RenderPdf>>()
}

/** The command with the input, from wherever it is still kept. */
async function commandOf(
  bus: Bus,
  id: string,
  state: GenerationState,
): Promise<Pick<Envelope<RenderPdf>, 'data'> | undefined> {
  const waiting = await queuedCommand(bus, id)
  if (waiting) throw new Error(`${id} is still queued; it is rendered without a retry`)
  const dead = await findDeadRender(bus, id)
  if (dead) return JSON.parse(Buffer.from(dead.payload).toString())
  const request = requestOf(id, state)
  if (!request || state.status === 'absent') return undefined
  const { input_key } = state.request
  return input_key === undefined ? undefined : { data: { request, input_key } }
}

/** The request as a command has it. */
function requestOf(id: string, state: GenerationState): GenerationRequest | undefined {
  if (state.status === 'absent') return undefined
  const { html_sha256: _, options: __, input_key: ___, ...request } = state.request
  return { generation_id: id, ...request } as GenerationRequest
}

async function fileOf({ openObjects, note }: CommandContext, key: string) {
  try {
    const info = await (await openObjects()).info(key)
    return info ? { key, size: info.size, modified_at: info.modifiedAt.toISOString() } : { key, missing: true }
  } catch (err) {
    note(`the object store was not searched: ${(err as Error).message}`)
    return undefined
  }
}
