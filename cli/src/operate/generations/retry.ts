import { Readable } from 'node:stream'
import { batchPartOf } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { asBusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { renderAgain } from '@platen/service-kit/commands/render-again.ts'
import { findLetterOf } from '@platen/service-kit/dead-letters/dead-letters.ts'
import { type InputStores, storedInput } from '@platen/service-kit/inputs/stored-input.ts'
import { any, type CommandContext, defineCommand, exitFound } from '../../frame/command.ts'
import { dryRun, isAnyGiven, UsageError } from '../../frame/options.ts'
import { findGenerations, generationFilters } from './find-generations.ts'
import { queuedCommand, readGeneration, requestOf } from './read-generation.ts'

export const retryGenerations = defineCommand({
  name: 'generations retry',
  argument: any('pdf id'),
  summary: 'render documents that have ended again, as new generations, if their input is still stored',
  options: { ...generationFilters, 'all-owners': { about: 'of every owner, instead of --owner' }, ...dryRun },
  notes: [
    'Options instead of ids select them: they need --owner or --all-owners, and without --status select those that have failed.',
    'Inputs are stored for retain_input days, and those of batches and of requests over 640 KiB for INPUT_RETENTION_DAYS. A command that could',
    'not be handled is a dead letter, which has the input: dead-letters retry. The others are sent again by who has requested them.',
    'The webhook of the request is sent for the new generation, too. What was rendered again is not marked: a second run renders',
    'it a second time.',
    'Exits with 1 if one of them cannot be rendered again.',
  ],
  async run(context, { argument, json, 'all-owners': allOwners, 'dry-run': isDryRun, ...filter }) {
    const { print, note, signal } = context
    const isRange = allOwners || isAnyGiven(filter)
    if (isRange === argument.length > 0) throw new UsageError('expected generation ids, or options that select them')
    if (isRange && allOwners === (filter.owner !== undefined))
      throw new UsageError('add either --owner OWNER, or --all-owners for the generations of every owner')
    const store = await context.openStore()
    const found = isRange ? await findGenerations(store, { ...filter, status: filter.status ?? 'failed' }, signal) : []
    const ids = isRange ? found.map(({ id }) => id) : argument
    const openObjects = readingPartsOnce(context)
    let refused = 0
    for (const [at, id] of ids.entries()) {
      if (signal.aborted) throw new Error(`interrupted; ${ids.length - at} generations were not looked at`)
      try {
        const renewed = await retry({ reader: store, bus: await context.openBus(), openObjects, id, isDryRun })
        if (json) print(JSON.stringify({ id: renewed ?? null, retried: id, ...(isDryRun && { dry_run: true }) }))
        else print(renewed ? `${id} is rendered again as ${renewed}` : `${id} would be rendered again`)
      } catch (err) {
        if (!isRange && ids.length === 1) throw err
        // Each of the others would wait for the same unavailable service.
        const reason = asBusUnavailable(err)
        if (reason instanceof DependencyUnavailable)
          throw new Error(`${id}: ${reason.message}; ${ids.length - at - 1} other generations were not looked at`, {
            cause: err,
          })
        refused += 1
        note((err as Error).message)
      }
    }
    if (!json && ids.length === 0) print('no generations')
    return refused > 0 ? exitFound : 0
  },
})

interface Retrying extends InputStores {
  reader: EventStore
  id: string
  isDryRun: boolean
}

/** Resolves to the id of the new generation; undefined in a dry run. Throws the reason why there can be none. */
async function retry({ id, isDryRun, ...stores }: Retrying): Promise<string | undefined> {
  const { bus, reader } = stores
  const state = await readGeneration(reader, id)
  if (await queuedCommand(bus, id)) throw new Error(`${id} is still queued; it is rendered without a retry`)
  const letter = await findLetterOf(bus, id)
  if (letter) throw new Error(`${id} could not be handled and is a dead letter; run dead-letters retry ${letter.seq}`)
  const request = requestOf(id, state)
  if (!request || state.status === 'absent') throw new Error(`there is no generation ${id}; send the request again`)
  if ('erased' in state && state.erased) throw new Error(`the content of ${id} was erased; send the request again`)
  const stored = await storedInput(stores, { ...request, input_key: state.request.input_key })
  return isDryRun ? undefined : renderAgain(stores, { ...stored, request })
}

/** A part of a batch has some 1 MiB of items, which are retried one after another. */
function readingPartsOnce({ openObjects }: CommandContext): InputStores['openObjects'] {
  const parts = new LruCache<Buffer>({ maxCount: 32, maxWeight: Number.POSITIVE_INFINITY })
  return async () => {
    const objects = await openObjects()
    return {
      put: (...object) => objects.put(...object),
      delete: (key) => objects.delete(key),
      async get(key) {
        if (batchPartOf(key) === undefined) return objects.get(key)
        const part = parts.get(key) ?? (await readBytes(await objects.get(key)))
        parts.set(key, part)
        return Readable.from([part])
      },
    }
  }
}
