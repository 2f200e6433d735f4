import { writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { recordErasure } from '@platen/domain/generation/erase-content.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { history, readWhole } from '@platen/event-store/history.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import {
  type Erased,
  erasedContent,
  eraseGeneration,
  itemsOfEnded,
  nothingErased,
  type OwnedGeneration,
} from '@platen/service-kit/commands/erase-generation.ts'
import { any, defineCommand } from '../../frame/command.ts'
import { UsageError } from '../../frame/options.ts'
import { findOwner } from '../owners/owners.ts'
import { eraseDeadLetters, pdfsOf } from './generation-files.ts'

/** The entry of `metadata` that names the person a document is about. */
const subjectEntry = 'data_subject'

export const erase = defineCommand({
  name: 'erase',
  argument: any('pdf id'),
  summary: 'delete the PDF and the stored input of documents for good; the log keeps their events, without content',
  options: {
    'data-subject': { value: 'VALUE', about: `all generations whose metadata has {"${subjectEntry}": "VALUE"}` },
    owner: { value: 'OWNER', about: 'only generations of this owner, by id or name; needed if those of several match' },
    'dry-run': { about: 'prints what would be deleted' },
    receipt: { value: 'FILE', about: 'writes the receipt to this file (it is printed as well)' },
  },
  notes: [
    'Give generation ids, or --data-subject.',
    'Generations that have not ended are refused: cancel them first, or wait. The URL of a deleted PDF answers 410,',
    'GENERATION_ERASED. Who has erased it, when, and its SHA-256 are recorded as the event ContentErased.',
  ],
  async run(context, { argument: ids, ...values }) {
    const { openStore, openLog, openObjects, openBus, print, note, progress, signal } = context
    const subject = values['data-subject']
    if ((subject === undefined) === (ids.length === 0)) {
      throw new UsageError('expected generation ids, or --data-subject')
    }
    // The log without a catalogue, so that documents are also found in events that cannot be read.
    const log = await openLog()
    const owner = values.owner === undefined ? undefined : await findOwner(await openStore(), values.owner)
    const objects = await openObjects()
    const bus = await openBus()
    const found = new Map<string, StoredEvent[]>()
    if (subject === undefined) {
      for (const id of ids) found.set(id, await readWhole(log, generationStream(id)))
    } else {
      using bar = progress('reading the log')
      let count = 0
      for await (const event of history(log, { categories: ['generation'], signal })) {
        bar.at(++count)
        const id = aggregateIdOf(event.stream)
        if (isAbout(event, subject)) found.set(id, [])
        found.get(id)?.push(event)
      }
      signal.throwIfAborted()
    }
    for (const [id, events] of found) {
      if (events.length === 0) throw new Error(`there is no generation ${id} in the event store`)
    }
    const chosen = ofOneOwner(found, owner)
    const other = ids.find((id) => !chosen.some((one) => one.id === id))
    if (other !== undefined) throw new Error(`there is no generation ${other} of ${owner}. Nothing was deleted`)
    for (const { id, events } of chosen) {
      if (!events.some(({ type }) => endings.has(type))) {
        throw new Error(`${id} has not ended; wait, or run generations cancel ${id} first. Nothing was deleted`)
      }
    }
    const batches = await itemsOfEnded(log, chosen)
    const isDry = values['dry-run']
    const onUnreleased = (err: unknown) =>
      note(`an erased input counts as kept by its owner until its day: ${(err as Error).message}`)
    const attempts = await pdfsOf(chosen, context, objects)
    const generations: Erased[] = []
    const erased_at = new Date().toISOString()
    const erased_by = operator()
    let failure: Error | undefined
    for (const one of chosen) {
      const erased = nothingErased(one)
      generations.push(erased)
      try {
        await eraseGeneration(
          {
            bus,
            objects,
            batches,
            attempts,
            isDry,
            onUnreleased,
            eraseDeadLetters: (id) => eraseDeadLetters(bus, id, isDry),
          },
          one,
          erased,
        )
        if (values['dry-run']) continue
        await recordErasure(await openStore(), one.id, { erased_by, erased_at, ...erasedContent(erased) })
      } catch (err) {
        // The receipt has everything that was deleted by then.
        failure = err as Error
        break
      }
    }
    const receipt = {
      erased_at,
      erased_by,
      ...defined({ data_subject: subject, owner_id: owner }),
      dry_run: values['dry-run'],
      generations,
      kept: 'the events of each generation: times, owner, API key, template and version, options, metadata, file_name, pages, size and SHA-256; of a failure its message and details, which can quote a value and a line of the source',
    }
    const text = JSON.stringify(receipt, undefined, values.json ? undefined : 2)
    // Printed first: a file that cannot be written hides no receipt.
    print(text)
    if (values.receipt !== undefined) await writeFile(values.receipt, `${text}\n`, { mode: 0o600 })
    const count = generations.reduce((sum, one) => sum + one.objects.length, 0)
    note(`${count} objects of ${generations.length} generations ${values['dry-run'] ? 'would be' : 'were'} deleted`)
    if (failure !== undefined)
      throw new Error(`not all was erased and recorded: ${failure.message}; run the command again`, { cause: failure })
    if (!values['dry-run']) note('backups still have the PDFs: keep the receipt, and erase again after a restore')
  },
})

/** The user who runs this command. */
function operator(): string {
  const name = () => {
    try {
      return userInfo().username
    } catch {
      // A container may have a user without a name.
      return `user ${process.getuid?.()}`
    }
  }
  return `${name()}@${hostname()}`
}

const endings = new Set(['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled'])

function isAbout({ type, data }: StoredEvent, subject: string): boolean {
  if (type !== 'GenerationRequested') return false
  const { metadata } = (data ?? {}) as { metadata?: Record<string, unknown> }
  return metadata?.[subjectEntry] === subject
}

/**
 * Generations with their owners. Throws if `owner` is absent and they belong to several: each owner chooses its metadata, and
 * what one calls a person need not be that person of another.
 */
function ofOneOwner(found: ReadonlyMap<string, readonly StoredEvent[]>, owner: string | undefined): OwnedGeneration[] {
  const all = [...found].map(([id, events]) => ({ id, events, owner: ownerOf(events) }))
  const chosen = owner === undefined ? all : all.filter((one) => one.owner === owner)
  const byOwner = Object.entries(Object.groupBy(chosen, (one) => one.owner))
  if (byOwner.length > 1) {
    const counts = byOwner.map(([name, { length } = []]) => `${name} (${length})`).join(', ')
    throw new Error(`these are generations of several owners: ${counts}; choose one with --owner. Nothing was deleted`)
  }
  return chosen
}

/** `unknown` if the event store has lost the first event. */
function ownerOf(events: readonly StoredEvent[]): string {
  const requested = events.find(({ type }) => type === 'GenerationRequested')
  return (requested?.data as { owner_id?: string } | undefined)?.owner_id ?? 'unknown'
}
