import { setTimeout } from 'node:timers/promises'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { PutTemplateBody, Template } from '@platen/domain/template/template.ts'
import { authoredFieldNames, type TemplateChanges } from '@platen/domain/template/template-content.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { stringifyFields } from '@platen/foundation/json/json-fields.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { FastifyRequest } from 'fastify'
import { ownerOf } from '../api-keys/owner-of.ts'
import { isMatch, isNoneMatch } from '../http/headers/entity-tags.ts'
import { jsonsOf } from '../http/plugins/json-parser.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { checkTemplate } from './check-template.ts'
import { type CurrentLabels, templateTag, templateVersionToMatch } from './current-labels.ts'
import type { TemplateCommands } from './template-commands.ts'

export interface PutTemplateOptions {
  commands: TemplateCommands
  /** Undefined if no template of the owner has the slug. */
  find: (slug: string, ownerId: string) => Promise<Template | undefined>
  labels: CurrentLabels
}

export type PutTemplateRequest = FastifyRequest<{
  Params: { slug: string }
  Body: PutTemplateBody
  Headers: { 'if-match'?: string; 'if-none-match'?: string }
}>

/** How often the template is looked up while other clients create and delete one with this slug. */
const attempts = 6
/** The pause before the second attempt. It doubles with each further attempt. */
const firstPauseMs = 25

/**
 * The handler of PUT /v1/templates/by-slug/:slug. Repeating the same request changes nothing, so that a client may
 * repeat it after a lost answer. Throws PRECONDITION_FAILED, CONFLICT, DependencyUnavailable and the errors of the
 * commands.
 */
export async function putTemplate(
  options: PutTemplateOptions,
  request: PutTemplateRequest,
): Promise<{ template: Template; created: boolean }> {
  checkTemplate(request.body, jsonsOf(request))
  const { slug } = request.params
  for (let attempt = 1; ; attempt++) {
    const current = await options.find(slug, ownerOf(request).id)
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
    if (current && ifNoneMatch !== undefined && (await isExcluded(options.labels, ifNoneMatch, current))) {
      fail('PRECONDITION_FAILED', `The template ${slug} exists, which If-None-Match excludes`)
    }
    if (!current && ifMatch !== undefined) {
      // A malformed one is refused as such.
      isMatch(ifMatch, '')
      fail('PRECONDITION_FAILED', `The template ${slug} does not exist; see If-Match`)
    }
    try {
      const template = await (current ? change(options, request, current) : create(options, request))
      if (!template) throw new DependencyUnavailable(`template ${slug} not found after it was stored`)
      return { template, created: current === undefined }
    } catch (err) {
      if (!isOvertaken(err, current)) throw err
      // Another one may be created, or its process was stopped: the client gets a 503 and retries.
      if (attempt === attempts && isUndecided(err)) throw err
      if (attempt === attempts) fail('CONFLICT', `Other requests create and delete the template ${slug}; retry`)
      await setTimeout(firstPauseMs * 2 ** (attempt - 1))
    }
  }
}

/** Whether `If-None-Match` lists the entity tag of the template, or that of its version without labels. */
async function isExcluded(labels: CurrentLabels, ifNoneMatch: string, { id, version }: Template): Promise<boolean> {
  if (isNoneMatch(ifNoneMatch, version)) return true
  return isNoneMatch(ifNoneMatch, templateTag(version, await labels.shown(id)))
}

/** Whether another client has created or deleted the template since it was looked up. */
function isOvertaken(err: unknown, current: Template | undefined): boolean {
  if (current) return err instanceof DomainError && err.code === 'TEMPLATE_NOT_FOUND'
  return isUndecided(err) || (err instanceof DomainError && err.code === 'CONFLICT')
}

/** Whether another command has reserved the slug, and it is not known yet whether its template gets it. */
function isUndecided(err: unknown): boolean {
  return err instanceof DomainError && err.code === 'SERVICE_UNAVAILABLE' && 'slug' in Object(err.details)
}

function create({ commands }: PutTemplateOptions, request: PutTemplateRequest): Promise<Template | undefined> {
  const { params, body } = request
  const { sample_data = {}, ...content } = body
  const owner_id = ownerOf(request).id
  const data = { template_id: newId('tpl'), owner_id, slug: params.slug, ...content, sample_data }
  const dataJson = stringifyFields(data, jsonsOf(request))
  return commands.execute({ type: 'CreateTemplate', data }, commandMetadata(request), { dataJson })
}

async function change(
  { commands, labels }: PutTemplateOptions,
  request: PutTemplateRequest,
  current: Template,
): Promise<Template | undefined> {
  const { sample_data = {}, ...content } = request.body
  const absent = Object.fromEntries(authoredFieldNames.map((field) => [field, null]))
  const changes: TemplateChanges = { ...absent, ...content, sample_data }
  const version = await templateVersionToMatch(labels, request.headers['if-match'], current)
  const ofTemplate = { template_id: current.id, owner_id: ownerOf(request).id }
  const data = { ...ofTemplate, changes, ...defined({ if_version: version }) }
  const dataJson = stringifyFields(data, { changes: stringifyFields(changes, jsonsOf(request)) })
  return commands.execute({ type: 'UpdateTemplate', data }, commandMetadata(request), { dataJson })
}
