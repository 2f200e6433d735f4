import type { TemplateContent } from '@platen/domain/template/template-content.ts'

/** The fields of a template that are files of its folder, and the files of its pins in a diff. */
const files = [
  ['html', 'template.html'],
  ['header_html', 'header.html'],
  ['footer_html', 'footer.html'],
  ['sample_data', 'data.json'],
  ['options', 'options.json'],
  ['data_schema', 'schema.json'],
  ['samples', 'samples.json'],
] as const satisfies readonly [field: keyof TemplateContent, file: string][]

const pins = [
  ['partials', 'partials.json'],
  ['assets', 'assets.json'],
] as const satisfies readonly [field: keyof TemplateContent, file: string][]

export const templateFiles: readonly (readonly [field: keyof TemplateContent, file: string])[] = files

/** What a diff compares, by file: everything that belongs to a version. */
export const comparedFiles: readonly (readonly [file: string, textOf: (content: TemplateContent) => string])[] = [
  ['name', ({ name }) => `${name}\n`],
  ...[...files, ...pins].map(
    ([field, file]) => [file, (content: TemplateContent) => fileText(content[field])] as const,
  ),
  ['follow_partials', ({ follow_partials }) => (follow_partials === undefined ? '' : `${follow_partials}\n`)],
]

/** Empty for an absent field. */
export function fileText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`
}
