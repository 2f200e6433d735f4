import { readFile } from 'node:fs/promises'
import { type CompletedGeneration, type Platen, unwrap } from '@platen/client'
import { TemplateOptions } from '@platen/domain/template/template-content.ts'
import { JsonObject } from '@platen/foundation/json/json.ts'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { readExample } from './read-example.ts'

const json = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8'))
const values = Compile(Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()])))

/** Fills in a printed form. The fields have the names of the inputs in the template. */
export async function fillForm(platen: Platen, form: CompletedGeneration): Promise<CompletedGeneration> {
  const fields = values.Parse(await json('./membership-form/fields.json'))
  const body = { source: { generation: form.id }, fields, file_name: 'Membership form, filled in' }
  return platen.waitFor(await unwrap(platen.api.POST('/v1/pdf/fill', { body })))
}

/** Prints the letter with a signature of the key. In its place the letter has no drawn one. */
export async function printSignedLetter(platen: Platen, key: string): Promise<CompletedGeneration> {
  const { sample_data } = (await readExample('letter')).template
  const options = Compile(TemplateOptions).Parse(await json('./signed-letter/options.json'))
  const author = { ...Compile(JsonObject).Parse(sample_data.author), signature: '' }
  const { output } = options
  const sign = output?.sign && { ...output.sign, key }
  return platen.generate({
    template: 'letter',
    data: { ...sample_data, author },
    options: { ...options, output: { ...output, ...(sign && { sign }) } },
    file_name: 'Signed letter',
  })
}
