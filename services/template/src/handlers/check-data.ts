import type { TemplateChanges } from '@platen/domain/template/template-content.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { type SchemaChecker, sampleValues } from '@platen/templating/data-schema/schema-checker.ts'

/** Fields that are checked together: a change of one may make the others wrong. */
const dataFields = ['data_schema', 'sample_data', 'samples'] as const

/**
 * Checks the schema of a template when it is saved, and its samples with it; sample data only if there are some.
 * `after` is the template with the changes. Throws VALIDATION_ERROR with the paths, and TEMPLATE_TOO_COMPLEX.
 */
export async function checkData(
  schemas: Pick<SchemaChecker, 'check'>,
  { after, changes, caller }: { after: TemplateChanges; changes: TemplateChanges; caller: Claim },
): Promise<void> {
  const { data_schema, sample_data, samples } = after
  if (!data_schema || !dataFields.some((field) => field in changes)) return
  // A schema that was saved before is not refused for a word without an effect.
  const saving = 'data_schema' in changes
  await schemas.check(caller, data_schema, sampleValues(sample_data, samples ?? {}), { saving })
}
