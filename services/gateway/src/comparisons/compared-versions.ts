import { DomainError } from '@platen/domain/http/errors.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { labelPattern } from '@platen/domain/template/template-versions.ts'
import { Type } from 'typebox'
import { invalidField } from '../http/errors/field-problems.ts'
import type { CurrentLabels } from '../templates/current-labels.ts'
import type { RecordedVersions } from '../templates/recorded-versions.ts'
import { versionWithLabel } from '../templates/template-params.ts'
import type { TemplateRecord } from '../views/template-record.ts'

const maxVersion = 2_147_483_647
const ComparedVersion = (description: string) =>
  Type.String({
    pattern: labelPattern,
    description: `A version, or a label that is not a number. ${description}`,
    examples: ['1'],
  })

export const comparedQuery = {
  from: Type.Optional(ComparedVersion('Default: the version before `to` that is no deletion.')),
  to: Type.Optional(ComparedVersion('Default: the newest version.')),
}

/** Reads the two versions that a request names. Throws TEMPLATE_NOT_FOUND, LABEL_NOT_FOUND, VALIDATION_ERROR. */
export async function readCompared(
  { versions, labels }: { versions: RecordedVersions; labels: CurrentLabels },
  record: TemplateRecord,
  { from: first, to: last }: { from?: string; to?: string },
): Promise<{ from: Template; to: Template }> {
  const numberOf = async (field: string, versionOrLabel: string): Promise<number> => {
    if (/^\d+$/.test(versionOrLabel)) return versionOf(field, versionOrLabel)
    return versionWithLabel(record.id, versionOrLabel, (await labels.of(record.id)).labels)
  }
  const to = last === undefined ? newestContent(record) : await numberOf('to', last)
  const newer = await versions.read(record, to)
  if (first === undefined) return { from: await contentBefore(versions, record, to), to: newer }
  return { from: await versions.read(record, await numberOf('from', first)), to: newer }
}

/** Before the version that restored a deleted template there is its deletion, which has no content. Before the first, there is none. */
async function contentBefore(versions: RecordedVersions, record: TemplateRecord, version: number): Promise<Template> {
  try {
    return await versions.read(record, Math.max(1, version - 1))
  } catch (err) {
    if (version <= 2 || !(err instanceof DomainError) || err.code !== 'TEMPLATE_NOT_FOUND') throw err
    return versions.read(record, version - 2)
  }
}

function versionOf(field: string, digits: string): number {
  const version = Number(digits)
  if (version < 1 || version > maxVersion) invalidField(field, `must be a version from 1 to ${maxVersion}, or a label`)
  return version
}

/** The last version of a deleted template is its deletion, which has no content. */
function newestContent({ state, revision }: TemplateRecord): number {
  return state.status === 'deleted' ? revision : revision + 1
}
