import type { GenerationState } from '@platen/domain/generation/generation-state.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import { type CommandContext, defineCommand, one } from '../../frame/command.ts'
import { deadLetterOf, queuedCommand, readGeneration, requestOf } from './read-generation.ts'
import { renderAgain } from './render-again.ts'

export const showGeneration = defineCommand({
  name: 'generations show',
  argument: one('pdf id'),
  summary: 'print a generation: its status, request, result and file',
  notes: ['`trace` prints its history with times.'],
  async run(context, { argument: id, json }) {
    const { print } = context
    const state = await readGeneration(await context.openStore(), id)
    const record = state.status === 'absent' ? await queued(context, id) : { id, ...bodyOf(state) }
    const file = state.status === 'completed' ? await fileOf(context, state.result.object_key) : undefined
    const shown = { created_at: new Date(idTimeMs(id)).toISOString(), ...record, ...(file && { file }) }
    if (json) return print(stringifyExact(shown))
    for (const [name, value] of Object.entries(shown)) {
      print(`${name.padEnd(10)}  ${typeof value === 'string' ? value : stringifyExact(value)}`)
    }
  },
})

export const retryGeneration = defineCommand({
  name: 'generations retry',
  argument: one('pdf id'),
  summary: 'render a document that has ended again, as a new generation, if its input is still stored',
  notes: [
    'Inputs of requests over 640 KiB are stored, for INPUT_RETENTION_DAYS. A command that could not be handled is a dead letter,',
    'which has the input: dead retry.',
    'The webhook of the request is sent for the new generation, too.',
  ],
  async run(context, { argument: id, json }) {
    const state = await readGeneration(await context.openStore(), id)
    const bus = await context.openBus()
    if (await queuedCommand(bus, id)) throw new Error(`${id} is still queued; it is rendered without a retry`)
    const dead = await deadLetterOf(bus, id)
    if (dead) throw new Error(`${id} could not be handled and is a dead letter; run dead retry ${dead}`)
    const request = requestOf(id, state)
    if (!request || state.status === 'absent') throw new Error(`there is no generation ${id}; send the request again`)
    const { input_key } = state.request
    const renewed = await renderAgain(context, bus, { request, ...(input_key !== undefined && { input_key }) })
    context.print(json ? JSON.stringify({ id: renewed, retried: id }) : `${id} is rendered again as ${renewed}`)
  },
})

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

async function fileOf({ openObjects, note }: CommandContext, key: string) {
  try {
    const info = await (await openObjects()).info(key)
    return info ? { key, size: info.size, modified_at: info.modifiedAt.toISOString() } : { key, missing: true }
  } catch (err) {
    note(`the object store was not searched: ${(err as Error).message}`)
    return undefined
  }
}
