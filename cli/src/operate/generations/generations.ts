import { redactAll } from '@platen/domain/events/redact.ts'
import type { GenerationState } from '@platen/domain/generation/generation-state.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import { type CommandContext, defineCommand, one } from '../../frame/command.ts'
import { printRows } from '../../frame/table.ts'
import { findGenerations, generationFilters } from './find-generations.ts'
import { queuedCommand, readGeneration } from './read-generation.ts'

export const listGenerations = defineCommand({
  name: 'generations list',
  summary: 'list generations of the event store, oldest first; those that are queued are not in it yet',
  options: generationFilters,
  async run({ openStore, print, signal }, { json, ...filter }) {
    const rows = (await findGenerations(await openStore(), filter, signal)).map((it) => {
      const { id, created_at, status, request } = it
      const error = status === 'failed' ? { code: it.failure.code, error: it.failure.message } : {}
      const row = { id, created_at, status, owner_id: request.owner_id, template_id: request.template?.id, ...error }
      return redactAll(row)
    })
    const columns = ({ id, created_at, status, owner_id = '', ...failed }: (typeof rows)[number]) => [
      ...[created_at, id, status, owner_id, failed.code ?? '', failed.error ?? ''],
    ]
    printRows(rows, { print, json, columns })
  },
})

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
    const created_at = new Date(idTimeMs(id)).toISOString()
    const shown = redactAll({ created_at, ...record, ...defined({ file }) })
    if (json) return print(stringifyExact(shown))
    for (const [name, value] of Object.entries(shown)) {
      print(`${name.padEnd(10)}  ${typeof value === 'string' ? value : stringifyExact(value)}`)
    }
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
