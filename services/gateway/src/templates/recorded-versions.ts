import { fail } from '@platen/domain/http/errors.ts'
import type { Template } from '@platen/domain/template/template.ts'
import type { FastifyRequest } from 'fastify'
import { ownerOf } from '../api-keys/owner-of.ts'
import type { TemplateRecord } from '../views/template-record.ts'
import type { CurrentTemplates } from './current-templates.ts'

/** Templates with all that was recorded of them, also of deleted ones by their id. */
export interface RecordedVersions {
  /** Throws TEMPLATE_NOT_FOUND. */
  find(request: FastifyRequest<{ Params: { idOrSlug: string } }>): Promise<TemplateRecord>
  /** Throws TEMPLATE_NOT_FOUND. */
  read(record: TemplateRecord, version: number): Promise<Template>
}

export function recordedVersions(templates: CurrentTemplates): RecordedVersions {
  return {
    async find(request) {
      const { idOrSlug } = request.params
      const { id: ownerId } = ownerOf(request)
      return (await templates.record(idOrSlug, ownerId)) ?? templates.notFound(idOrSlug, ownerId)
    },
    async read(record, version) {
      const found = version <= record.revision + 1 ? await templates.at(record.id, version - 1) : undefined
      return found ?? noVersion(record, version)
    },
  }
}

function noVersion({ id, revision }: TemplateRecord, version: number): never {
  const newest = revision + 1
  return fail(
    'TEMPLATE_NOT_FOUND',
    version > newest
      ? `Template ${id} has no version ${version}; it has versions 1 to ${newest}`
      : `Version ${version} of template ${id} is its deletion`,
  )
}
