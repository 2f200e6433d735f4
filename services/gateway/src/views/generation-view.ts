import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { GenerationStatus } from '@platen/domain/generation/generation.ts'
import type { GenerationEvent } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/domain/generation/generation-state.ts'
import type { Metadata } from '@platen/domain/generation/job-details.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { isTombstone } from '@platen/event-store/with-catalogue.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { itemCounter } from './batch-view.ts'
import { type GenerationRecord, generationRecord } from './generation-record.ts'
import { openMetadataTable } from './metadata-table.ts'
import { type Evolved, type OutcomeView, outcomeView } from './outcome-view.ts'

type KnownGeneration = Exclude<GenerationState, { status: 'absent' }>

export interface GenerationFilter {
  ownerId: string
  status: GenerationStatus | undefined
  templateId: string | undefined
  /** Only generations that have all of these entries. */
  metadata?: Metadata | undefined
  /** The oldest id. */
  from: string | undefined
  /** Only generations older than this id. */
  before: string | undefined
  limit: number
}

export interface GenerationView {
  /** Writes each generation once, however many of the events are its own. A tombstone removes it. */
  apply(events: readonly StoredEvent[]): void
  /** Removes the oldest generations that have ended and are older than this id. Returns their number. */
  removeAged(before: string, limit: number): number
  /** Every ended generation up to this id was removed for its age; undefined if none was. */
  agedThrough(): string | undefined
  /** Whether a published event was applied. */
  shows(event: CloudEvent): boolean
  find(id: string): GenerationRecord | undefined
  /** Those of an owner that are being rendered, at most `limit`. */
  rendering(ownerId: string, limit: number): string[]
  /** How many have ended in the last minutes, of one owner or of all. */
  endedInLast: OutcomeView['ofLast']
  /** Newest first. */
  list(filter: GenerationFilter): Promise<GenerationRecord[]>
}

export const generationTables = `
  CREATE TABLE aged(id INTEGER PRIMARY KEY CHECK(id = 1), through TEXT NOT NULL) STRICT;
  CREATE TABLE generations(
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, status TEXT NOT NULL, template_id TEXT, state TEXT NOT NULL) STRICT;
  CREATE INDEX generations_owner ON generations(owner_id, id);
  CREATE INDEX generations_status ON generations(owner_id, status, id);
  CREATE INDEX generations_template ON generations(owner_id, template_id, status, id) WHERE template_id IS NOT NULL;`

export function generationView(db: DatabaseSync): GenerationView {
  const byId = db.prepare('SELECT id, state FROM generations WHERE id = ?')
  const lists = listStatements(db)
  const metadataTable = openMetadataTable(db)
  const countItem = itemCounter(db)
  const outcomes = outcomeView(db)
  const rendering = db.prepare(
    "SELECT id FROM generations INDEXED BY generations_status WHERE owner_id = ? AND status = 'rendering' LIMIT ?",
  )
  const save = db.prepare(
    `INSERT INTO generations(id, owner_id, status, template_id, state) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET status = excluded.status, template_id = excluded.template_id, state = excluded.state`,
  )
  const stateOf = (id: string): GenerationState => {
    const row = byId.get(id)
    return row === undefined ? absentGeneration : rowState(row)
  }

  const remove = db.prepare('DELETE FROM generations WHERE id = ?')

  const write = (id: string, state: KnownGeneration, isNew: boolean) => {
    const { request } = state
    if (request.batch) countItem(request.batch.id, stateOf(id).status, state.status)
    save.run(id, request.owner_id, state.status, request.template?.id ?? null, stringifyExact(state))
    if (isNew) metadataTable.add(request.owner_id, id, request.metadata)
  }
  const removeRow = (id: string) => {
    const state = stateOf(id)
    if (state.status !== 'absent') metadataTable.remove(state.request.owner_id, id, state.request.metadata)
    remove.run(id)
  }
  const aged = db.prepare("SELECT id FROM generations WHERE id < ? AND status <> 'rendering' ORDER BY id LIMIT ?")
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
    async list({ ownerId, status, templateId, metadata = {}, from = '', before = '~', limit }) {
      if (Object.keys(metadata).length > 0) {
        const rows = await metadataTable.list({ ownerId, status, templateId, metadata, from, before, limit })
        return rows.flatMap((row) => generationRecord(String(row.id), rowState(row)) ?? [])
      }
      const { statement, columns } = lists(status !== undefined, templateId !== undefined)
      const given: Record<string, SQLInputValue> = { status: status ?? null, templateId: templateId ?? null }
      const filters = Object.fromEntries(columns.map((column) => [column, given[column] ?? null]))
      const rows = statement.all({ ownerId, from, before, limit, ...filters })
      return rows.flatMap((row) => generationRecord(String(row.id), rowState(row)) ?? [])
    },
  }
}

function rowState(row: unknown): GenerationState {
  return JSON.parse((row as { state: string }).state)
}

const statuses = ['rendering', 'completed', 'failed', 'cancelled'] satisfies GenerationStatus[]

/**
 * Prepares a statement with a suitable index for each combination of filters. With optional conditions or its own
 * choice of index, SQLite would scan all generations of the owner. Without a status, the generations of a template are
 * merged from the newest of each status, in index order.
 */
function listStatements(db: DatabaseSync) {
  const select = (index: string, conditions: string) =>
    `SELECT id, state FROM generations INDEXED BY ${index} WHERE owner_id = :ownerId ${conditions} AND id >= :from AND id < :before
     ORDER BY id DESC LIMIT :limit`
  const ofTemplate = (status: string) =>
    select('generations_template', `AND template_id = :templateId AND status = ${status}`)
  const ofAnyStatus = statuses.map((status) => `SELECT * FROM (${ofTemplate(`'${status}'`)})`).join(' UNION ALL ')
  const all = { statement: db.prepare(select('generations_owner', '')), columns: [] }
  const byStatus = { statement: db.prepare(select('generations_status', 'AND status = :status')), columns: ['status'] }
  const byTemplate = {
    statement: db.prepare(`SELECT id, state FROM (${ofAnyStatus}) ORDER BY id DESC LIMIT :limit`),
    columns: ['templateId'],
  }
  const byBoth = { statement: db.prepare(ofTemplate(':status')), columns: ['status', 'templateId'] }
  return (hasStatus: boolean, hasTemplate: boolean): { statement: StatementSync; columns: string[] } => {
    if (hasTemplate) return hasStatus ? byBoth : byTemplate
    return hasStatus ? byStatus : all
  }
}
