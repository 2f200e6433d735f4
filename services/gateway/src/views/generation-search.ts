import type { DatabaseSync } from 'node:sqlite'
import type { GenerationStatus } from '@platen/domain/generation/generation.ts'
import type { Metadata } from '@platen/domain/generation/job-details.ts'
import { type FoundRows, rowSearch, type Source } from './search-rows.ts'

export interface GenerationFilter {
  /** Undefined: of all owners. */
  ownerId: string | undefined
  /** Any of these. */
  statuses?: readonly GenerationStatus[] | undefined
  templateId?: string | undefined
  templateVersion?: number | undefined
  apiKeyId?: string | undefined
  /** The code of the failure. */
  errorCode?: string | undefined
  hasWarnings?: boolean | undefined
  /** A part of the requested file name, in any case. */
  fileName?: string | undefined
  /** Only generations with all of these entries. */
  metadata?: Metadata | undefined
  /** The oldest id. */
  from: string | undefined
  /** Only generations older than this id. */
  before: string | undefined
  limit: number
}

/** The columns that a filter needs, and an index for each filter that few generations match. */
export const generationIndexes = `
  CREATE INDEX generations_owner ON generations(owner_id, id);
  CREATE INDEX generations_status ON generations(owner_id, status, id);
  CREATE INDEX generations_template ON generations(owner_id, template_id, status, id) WHERE template_id IS NOT NULL;
  CREATE INDEX generations_key ON generations(owner_id, api_key_id, id);
  CREATE INDEX generations_batch ON generations(batch_id, status) WHERE batch_id IS NOT NULL;
  CREATE INDEX generations_named ON generations(owner_id, id, file_name) WHERE file_name IS NOT NULL;
  CREATE INDEX generations_warned ON generations(owner_id, id) WHERE warnings > 0;
  CREATE INDEX generations_code ON generations(owner_id, code, id) WHERE code IS NOT NULL;
  CREATE INDEX all_generations_status ON generations(status, id) WHERE status <> 'completed';
  CREATE INDEX all_generations_warned ON generations(id) WHERE warnings > 0;
  CREATE INDEX all_generations_code ON generations(code, id) WHERE code IS NOT NULL;`

/** Of generations in a view: those that are queued are not in it. */
const statuses = ['rendering', 'completed', 'failed', 'cancelled'] satisfies GenerationStatus[]

const conditions = `
  AND (:statuses IS NULL OR g.status IN (SELECT value FROM json_each(:statuses)))
  AND (:templateId IS NULL OR g.template_id = :templateId)
  AND (:templateVersion IS NULL OR g.template_version = :templateVersion)
  AND (:apiKeyId IS NULL OR g.api_key_id = :apiKeyId)
  AND (:errorCode IS NULL OR g.code = :errorCode)
  AND (:hasWarnings IS NULL OR (g.warnings > 0) = :hasWarnings)
  AND (:fileName IS NULL OR instr(g.file_name, :fileName) > 0)
  AND NOT EXISTS (
    SELECT 1 FROM json_each(:metadata) o WHERE NOT EXISTS (
      SELECT 1 FROM generation_metadata n
      WHERE n.owner_id = g.owner_id AND n.key = o.value ->> 0 AND n.value = o.value ->> 1 AND n.id = g.id))`

/** Finds the generations that a filter selects, newest first. */
export function generationSearch(db: DatabaseSync): (filter: GenerationFilter) => Promise<FoundRows> {
  const search = rowSearch(db)
  return (filter) => {
    const { from = '', before = '~', limit, metadata = {}, hasWarnings } = filter
    const values = {
      statuses: filter.statuses ? JSON.stringify(filter.statuses) : null,
      templateId: filter.templateId ?? null,
      templateVersion: filter.templateVersion ?? null,
      apiKeyId: filter.apiKeyId ?? null,
      errorCode: filter.errorCode ?? null,
      hasWarnings: hasWarnings === undefined ? null : Number(hasWarnings),
      fileName: filter.fileName?.toLowerCase() ?? null,
      metadata: JSON.stringify(Object.entries(metadata)),
    }
    return search({ columns: 'g.id, g.state', sources: sourcesOf(filter), conditions, values, from, before, limit })
  }
}

/** The sources with the fewest generations that the filter does not select, of those for which there is an index. */
function sourcesOf(filter: GenerationFilter): Source[] {
  const { ownerId, templateId, apiKeyId, errorCode, hasWarnings, fileName, metadata = {} } = filter
  const [entry] = Object.entries(metadata)
  const wanted = filter.statuses ?? statuses
  const bySome = wanted.length < statuses.length
  if (ownerId === undefined) {
    if (errorCode !== undefined) return [source('all_generations_code', 'g.code = :code', { code: errorCode })]
    if (hasWarnings) return [source('all_generations_warned', 'g.warnings > 0')]
    // Most generations are completed, so that reading all of them in order finds a page soon.
    if (!bySome || wanted.includes('completed')) return [source('sqlite_autoindex_generations_1', 'TRUE')]
    const condition = "g.status = :status AND g.status <> 'completed'"
    return wanted.map((status) => source('all_generations_status', condition, { status }))
  }
  const ofOwner = (index: string, condition: string, values = {}) =>
    source(index, `g.owner_id = :ownerId ${condition}`, { ownerId, ...values })
  if (entry) return [metadataSource(ownerId, entry)]
  if (errorCode !== undefined) return [ofOwner('generations_code', 'AND g.code = :code', { code: errorCode })]
  if (templateId !== undefined) {
    const condition = 'AND g.template_id = :template AND g.status = :status'
    return wanted.map((status) => ofOwner('generations_template', condition, { template: templateId, status }))
  }
  if (hasWarnings) return [ofOwner('generations_warned', 'AND g.warnings > 0')]
  if (bySome && !wanted.includes('completed')) {
    return wanted.map((status) => ofOwner('generations_status', 'AND g.status = :status', { status }))
  }
  if (apiKeyId !== undefined) return [ofOwner('generations_key', 'AND g.api_key_id = :key', { key: apiKeyId })]
  if (fileName !== undefined) return [ofOwner('generations_named', 'AND g.file_name IS NOT NULL')]
  if (bySome) return wanted.map((status) => ofOwner('generations_status', 'AND g.status = :status', { status }))
  return [ofOwner('generations_owner', '')]
}

function source(index: string, condition: string, values = {}): Source {
  return { rows: `generations g INDEXED BY ${index} WHERE ${condition}`, key: 'g.id', values }
}

/** `CROSS JOIN` keeps SQLite from scanning the other table first. */
function metadataSource(ownerId: string, [key, value]: [string, string]): Source {
  const rows = `generation_metadata m CROSS JOIN generations g ON g.id = m.id
    WHERE m.owner_id = :ownerId AND m.key = :key AND m.value = :value`
  return { rows, key: 'm.id', values: { ownerId, key, value } }
}
