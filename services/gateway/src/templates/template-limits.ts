import { type CreateTemplateBody, templateLimits, type UpdateTemplateBody } from '@platen/shared/contracts/template.ts'
import { invalidField } from '../http/errors/invalid-field.ts'

/** Checks the limits in bytes, which a JSON schema cannot express. */
export function checkTemplateSize({ html, sample_data }: CreateTemplateBody | UpdateTemplateBody): void {
  const { htmlBytes, sampleDataBytes } = templateLimits
  if (html !== undefined && Buffer.byteLength(html) > htmlBytes) {
    invalidField('html', `must be at most ${htmlBytes / 1024} KiB`)
  }
  if (sample_data !== undefined && Buffer.byteLength(JSON.stringify(sample_data)) > sampleDataBytes) {
    invalidField('sample_data', `must be at most ${sampleDataBytes / 1024} KiB as JSON`)
  }
}
