import { parseExact } from '../../../api/exact-json.ts'
import { dataDocument } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import { changedPartials, type JsonObject, textOfJson } from '../model/fields.ts'
import { parseObject } from '../model/parse-json.ts'
import type { Problem } from '../model/problem.ts'
import type { PreviewBody } from './preview-request.ts'

/** Of this window. A newer preview of it ends an older one. */
const client = `studio-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`

/** Of options that the template has and the draft does not: a preview cannot remove them. */
const defaults: JsonObject = {
  format: 'A4',
  media: 'print',
  margin: { top: 20, bottom: 20, left: 15, right: 15 },
  javascript: 'auto',
  landscape: false,
  prefer_css_page_size: true,
  single_page: false,
  print_background: true,
  scale: 1,
  finish_animations: true,
  outline: false,
  tagged: false,
  form_fields: false,
  locale: 'en-US',
  timezone: 'UTC',
  strict: false,
  fail_on: [],
}

/** The request of a preview of what is in the editor, or why there can be none. */
export function previewBody(model: EditorModel): { body: PreviewBody } | { problems: Problem[] } {
  const { fields, template, set } = model
  const { html, header_html, footer_html, options, data_schema, helpers } = fields.value
  const document = dataDocument(set.value)
  const data = parseObject(model.text(document), parseExact)
  if ('problem' in data) {
    const { problem: text, line, column } = data
    return { problems: [{ severity: 'error', text, place: { document, line, column } }] }
  }
  if (html === '') {
    return {
      problems: [{ severity: 'error', text: 'The body is empty', place: { document: 'html', line: 1, column: 1 } }],
    }
  }
  const translations = fields.value.translations.trim() === '' ? { value: {} } : parseObject(fields.value.translations)
  if ('problem' in translations) {
    const { problem: text, line, column } = translations
    return { problems: [{ severity: 'error', text, place: { document: 'translations', line, column } }] }
  }
  const { id, data_schema: schema, options: stored = {} } = template.value
  // The template brings its schema, which only a stored one has; without it the draft alone says what is printed.
  const needsTemplate = schema !== undefined && data_schema === textOfJson(schema)
  const removed = Object.keys(stored).filter((name) => !(name in options) && name in defaults)
  const partials = changedPartials(model.base, fields.value).map(([name, partial]) => [name, partial.html])
  const body = {
    client,
    html,
    header_html,
    footer_html,
    data: data.value,
    // Empty ones replace those of the template.
    ...((fields.value.translations !== '' || template.value.translations) && { translations: translations.value }),
    ...(helpers !== '' && { helpers }),
    ...(partials.length > 0 && { partials: Object.fromEntries(partials) }),
    options: needsTemplate
      ? { ...Object.fromEntries(removed.map((name) => [name, defaults[name]])), ...options }
      : options,
    ...(needsTemplate && { template: id }),
  }
  return { body: body as PreviewBody }
}
