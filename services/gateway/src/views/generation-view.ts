import type { DatabaseSync } from 'node:sqlite'
import { placeInBatch } from '@platen/domain/batch/batch.ts'
import type { GenerationEvent } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/domain/generation/generation-state.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { isTombstone } from '@platen/event-store/with-catalogue.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { type GenerationRecord, generationRecord } from './generation-record.ts'
import { type GenerationFilter, generationIndexes, generationSearch } from './generation-search.ts'
import { openMetadataTable } from './metadata-table.ts'
import { type Evolved, type OutcomeView, outcomeView } from './outcome-view.ts'

type KnownGeneration = Exclude<GenerationState, { status: 'absent' }>

/** A page of generations, newest first. */
export interface FoundGenerations {
  items: GenerationRecord[]
  /** The id down to which was searched, if the search has ended before the page is full and there are older ones. */
  searchedTo?: string
}

export interface GenerationView {
  /** Writes each generation once, however many of the events are its own. A tombstone removes it. */
  apply(events: readonly StoredEvent[]): void
  /** Removes the oldest generations that have ended and are older than this id. Returns their number. */
  removeAged(before: string, limit: number): number
  /** Every ended generation up to this id was removed for its age, but for items of unfinished batches; undefined if none was. */
  agedThrough(): string | undefined
  /** Whether a published event was applied. */
  shows(event: CloudEvent): boolean
  find(id: string): GenerationRecord | undefined
  /** Those of an owner that are being rendered, at most `limit`. */
  rendering(ownerId: string, limit: number): string[]
  /** How many have ended in the last minutes, of one owner or of all. */
  endedInLast: OutcomeView['ofLast']
  /** A limited number of generations is compared with the filter. */
  list(filter: GenerationFilter): Promise<FoundGenerations>
}

export const generationTables = `
  CREATE TABLE aged(id INTEGER PRIMARY KEY CHECK(id = 1), through TEXT NOT NULL) STRICT;
  CREATE TABLE generations(
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, api_key_id TEXT NOT NULL, status TEXT NOT NULL, template_id TEXT,
    template_version INTEGER, file_name TEXT, code TEXT, warnings INTEGER NOT NULL DEFAULT 0, batch_id TEXT,
    state TEXT NOT NULL) STRICT;
  ${generationIndexes}`

export function generationView(db: DatabaseSync): GenerationView {
  const byId = db.prepare('SELECT id, state FROM generations WHERE id = ?')
  const search = generationSearch(db)
  const metadataTable = openMetadataTable(db)
  const outcomes = outcomeView(db)
  const rendering = db.prepare(
    "SELECT id FROM generations INDEXED BY generations_status WHERE owner_id = ? AND status = 'rendering' LIMIT ?",
  )
  const save = db.prepare(
    `INSERT INTO generations(
       id, owner_id, api_key_id, status, template_id, template_version, file_name, code, warnings, batch_id, state)
     VALUES (:id, :owner_id, :api_key_id, :status, :template_id, :template_version, :file_name, :code, :warnings,
       :batch_id, :state)
     ON CONFLICT(id) DO UPDATE SET status = excluded.status, template_id = excluded.template_id,
       template_version = excluded.template_version, code = excluded.code, warnings = excluded.warnings,
       state = excluded.state`,
  )
  const stateOf = (id: string): GenerationState => {
    const row = byId.get(id)
    return row === undefined ? absentGeneration : rowState(row)
  }

  const remove = db.prepare('DELETE FROM generations WHERE id = ?')

  const write = (id: string, state: KnownGeneration, isNew: boolean) => {
    const { request } = state
    save.run({ id, ...columnsOf(id, state), state: stringifyExact(state) })
    if (isNew) metadataTable.add(request.owner_id, id, request.metadata)
  }
  const removeRow = (id: string) => {
    const state = stateOf(id)
    if (state.status !== 'absent') metadataTable.remove(state.request.owner_id, id, state.request.metadata)
    remove.run(id)
  }
  // The items of a batch are counted until it has ended.
  const aged = db.prepare(`
    SELECT id FROM generations WHERE id < ? AND status <> 'rendering'
      AND (batch_id IS NULL OR batch_id NOT IN (SELECT id FROM batches WHERE has_ended = 0)) ORDER BY id LIMIT ?`)
  const readThrough = db.prepare('SELECT through FROM aged')
  const saveThrough = db.prepare(
    'INSERT INTO aged VALUES (1, ?) ON CONFLICT(id) DO UPDATE SET through = max(through, excluded.through)',
  )

  return {
    removeAged(before, limit) {
      const ids = aged.all(before, limit).map(({ id }) => String(id))
      const last = ids.at(-1)
      if (last === undefined) return 0
      db.exec('BEGIN IMMEDIATE')
      try {
        ids.forEach(removeRow)
        saveThrough.run(last)
        db.exec('COMMIT')
      } catch (err) {
        db.exec('ROLLBACK')
        throw err
      }
      return ids.length
    },
    agedThrough: () => readThrough.get()?.through as string | undefined,
    apply(events) {
      const changed = new Map<string, GenerationState>()
      const added = new Set<string>()
      const evolved: Evolved[] = []
      for (const event of events) {
        const id = aggregateIdOf(event.stream)
        if (isTombstone(event)) {
          changed.delete(id)
          removeRow(id)
          continue
        }
        const state = evolveGeneration(changed.get(id) ?? stateOf(id), domainEvent<GenerationEvent>(event))
        if (state.status !== 'absent') changed.set(id, state)
        if (event.type === 'GenerationRequested') added.add(id)
        evolved.push({ event, state })
      }
      for (const [id, state] of changed) if (state.status !== 'absent') write(id, state, added.has(id))
      outcomes.apply(evolved)
    },
    shows({ subject, type }) {
      const { status } = stateOf(subject)
      const isOpening = type === 'GenerationRequested' || type === 'GenerationStarted'
      return status !== 'absent' && (isOpening || status !== 'rendering')
    },
    find: (id) => generationRecord(id, stateOf(id)),
    rendering: (ownerId, limit) => rendering.all(ownerId, limit).map(({ id }) => String(id)),
    endedInLast: (minutes, options) => outcomes.ofLast(minutes, options),
    async list(filter) {
      const { rows, searchedTo } = await search(filter)
      const items = rows.flatMap((row) => generationRecord(String(row.id), rowState(row)) ?? [])
      return { items, ...defined({ searchedTo }) }
    },
  }
}

/** What filters compare. File names are compared in lower case. */
function columnsOf(id: string, { request, ...state }: KnownGeneration) {
  const { owner_id, api_key_id, template, file_name, batch } = request
  const isItem = batch !== undefined && placeInBatch(batch.id, id) !== undefined
  return {
    owner_id,
    api_key_id,
    status: state.status,
    template_id: template?.id ?? null,
    template_version: template?.version ?? null,
    file_name: file_name?.toLowerCase() ?? null,
    code: state.status === 'failed' ? state.failure.code : null,
    warnings: state.status === 'completed' ? state.result.warnings.length : 0,
    batch_id: isItem ? batch.id : null,
  }
}

function rowState(row: unknown): GenerationState {
  return JSON.parse((row as { state: string }).state)
}
