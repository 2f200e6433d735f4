import { GenerationStatus } from '@platen/domain/generation/generation.ts'
import { fileNamePattern, type Metadata } from '@platen/domain/generation/job-details.ts'
import { statedRules } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { ownersQuery } from '../api-keys/owner-of.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { createdQuery, idRange, pageQuery } from '../http/pagination.ts'
import { severalOf, severalQuery } from '../http/several-values.ts'
import type { GenerationFilter } from '../views/generation-search.ts'

/**
 * The filter `metadata[order]=2026-0042` in the OpenAPI document. It has a name of its own, so that a parameter
 * `metadata` is refused.
 */
const MetadataFilter = Type.Unsafe<Metadata>({
  type: 'object',
  style: 'deepObject',
  explode: true,
  propertyNames: { minLength: 1, maxLength: 64 },
  additionalProperties: { type: 'string', maxLength: 512 },
  description: 'Only generations with this metadata.',
  examples: [{ order: '2026-0042' }],
})

const metadataName = /^metadata(?:\.([\s\S]{1,64})|\[([\s\S]{1,64})\])$/
const metadataQuery = { [metadataName.source]: Type.String({ maxLength: 512 }) }

export const GenerationQuery = Type.Object(
  {
    ...pageQuery,
    ...createdQuery,
    ...ownersQuery,
    status: severalQuery(GenerationStatus.enum, 'failed', 'failed,cancelled'),
    template: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Template id or slug; with `owner=*` its id.' }),
    ),
    template_version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'A version of `template`.' }),
    ),
    api_key_id: Type.Optional(
      Type.String({
        [statedRules]: { pattern: '^key_[0-9a-z]{26}$' },
        maxLength: 64,
        description: 'Id of the API key (`key_…`) that has requested them.',
      }),
    ),
    error_code: Type.Optional(
      Type.String({
        [statedRules]: { pattern: '^[A-Z][A-Z_]*$' },
        maxLength: 64,
        description: 'Those that have failed with this code.',
        examples: ['RENDER_TIMEOUT'],
      }),
    ),
    warnings: Type.Optional(Type.Boolean({ description: 'Whether they have warnings.' })),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: fileNamePattern,
        description:
          'A part of the `file_name` of the request, in any case; or the beginning of an id, from `pdf_` on.',
        examples: ['invoice 2026'],
      }),
    ),
    metadata: Type.Optional(MetadataFilter),
  },
  { additionalProperties: false, patternProperties: metadataQuery },
)
export type GenerationQuery = Static<typeof GenerationQuery>

/** The filter of a query, but for the owner and the template, which are looked up. Throws VALIDATION_ERROR. */
export function filterOf(query: GenerationQuery): Omit<GenerationFilter, 'ownerId' | 'templateId' | 'limit'> {
  const { template, template_version, api_key_id, error_code, warnings, q } = query
  if (template_version !== undefined && template === undefined) invalidField('template_version', 'requires template')
  const isId = q?.toLowerCase().startsWith('pdf_') ?? false
  return {
    statuses: severalOf(GenerationStatus.enum, 'status', query.status),
    templateVersion: template_version,
    apiKeyId: api_key_id,
    errorCode: error_code,
    hasWarnings: warnings,
    metadata: metadataIn(query),
    fileName: isId ? undefined : q,
    ...withPrefix(idRange(query, 'pdf'), isId ? q?.toLowerCase() : undefined),
  }
}

type IdRange = ReturnType<typeof idRange>

/** `~` sorts behind every character of an id. */
function withPrefix({ from = '', before = '~' }: IdRange, prefix: string | undefined): IdRange {
  if (prefix === undefined) return { from, before }
  const end = `${prefix}~`
  return { from: from > prefix ? from : prefix, before: before < end ? before : end }
}

function metadataIn(query: Readonly<Record<string, unknown>>): Metadata {
  const filters = new Map<string, string>()
  for (const [name, value] of Object.entries(query)) {
    const [, dotted, key = dotted] = metadataName.exec(name) ?? []
    if (key === undefined) continue
    if (filters.has(key)) invalidField(name, 'must be given once')
    filters.set(key, String(value))
  }
  return Object.fromEntries(filters)
}
