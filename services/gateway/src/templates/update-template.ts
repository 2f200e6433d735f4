import { DomainError } from '@platen/domain/http/errors.ts'
import { type MergeTemplateBody, type Template, UpdateTemplateBody } from '@platen/domain/template/template.ts'
import type { TemplateChanges } from '@platen/domain/template/template-content.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { stringifyFields } from '@platen/foundation/json/json-fields.ts'
import type { FastifyRequest } from 'fastify'
import { ownerOf } from '../api-keys/owner-of.ts'
import { isMergePatch, jsonsOf } from '../http/plugins/json-parser.ts'
import { checkAgain } from '../http/plugins/validation.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { checkTemplate } from './check-template.ts'
import { type CurrentLabels, templateVersionToMatch } from './current-labels.ts'
import type { TemplateCommands } from './template-commands.ts'

export interface UpdateTemplateOptions {
  commands: TemplateCommands
  /** Throws TEMPLATE_NOT_FOUND. */
  find: (request: UpdateRequest) => Promise<Template>
  labels: CurrentLabels
}

export type UpdateRequest = FastifyRequest<{
  Params: { idOrSlug: string }
  Body: UpdateTemplateBody
  Headers: { 'if-match'?: string }
}>

/** How often a merge is tried while other clients change the template. */
const attempts = 5

/**
 * The handler of PATCH /v1/templates/:idOrSlug. Of a JSON Merge Patch the objects are merged into the current ones; as
 * `application/json` they are replaced. In both, null removes an optional field.
 */
export async function updateTemplate(options: UpdateTemplateOptions, request: UpdateRequest) {
  const isMerge = isMergePatch(request.headers)
  if (!isMerge) checkTemplate(request.body, jsonsOf(request))
  const { 'if-match': ifMatch } = request.headers
  for (let attempt = 1; ; attempt++) {
    const current = await options.find(request)
    const version = await templateVersionToMatch(options.labels, ifMatch, current)
    try {
      if (!isMerge) return await change(options, request, { current, version })
      const body = merged(current, request.body)
      checkAgain(request, UpdateTemplateBody, body)
      checkTemplate(body)
      return await change(options, request, { current, version: version ?? current.version, body })
    } catch (err) {
      const isConflict = err instanceof DomainError && err.code === 'PRECONDITION_FAILED'
      if (!isConflict || version !== undefined || attempt === attempts) throw err
    }
  }
}

interface Change {
  current: Template
  /** The version that the template must have; undefined: any. */
  version: number | undefined
  body?: TemplateChanges
}

async function change(
  { commands }: UpdateTemplateOptions,
  request: UpdateRequest,
  { current, version, body = request.body }: Change,
): Promise<Template | undefined> {
  const data = {
    template_id: current.id,
    owner_id: ownerOf(request).id,
    changes: body,
    ...defined({ if_version: version }),
  }
  // A merge patch has no such texts.
  const changes = stringifyFields(body, jsonsOf(request))
  const dataJson = stringifyFields(data, { changes })
  return commands.execute({ type: 'UpdateTemplate', data }, commandMetadata(request), { dataJson })
}

const mergedFields = ['sample_data', 'options', 'data_schema', 'samples', 'translations'] as const

/** The changes of a merge patch (RFC 7396). */
function merged(current: Template, patch: MergeTemplateBody): UpdateTemplateBody {
  const changes: Record<string, unknown> = { ...patch }
  for (const field of mergedFields) {
    const value = patch[field]
    if (value) changes[field] = mergePatch(current[field] ?? {}, value)
  }
  return changes
}

/** Applies a JSON Merge Patch to an object (RFC 7396, section 2): null removes a field, objects are merged. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = isJsonObject(value) ? mergePatch(isJsonObject(merged[name]) ? merged[name] : {}, value) : value
  }
  return merged
}
