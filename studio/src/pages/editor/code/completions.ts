import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { EditorState, type Extension } from '@codemirror/state'
import { type DocumentId, dataDocument, languageOf } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import type { Helper, Library } from '../model/library.ts'
import { parseObject } from '../model/parse-json.ts'
import { pathsIn } from './data-paths.ts'

import { type MustacheContext, mustacheAt } from './mustache-context.ts'
import { sampleOfSchema, withSample } from './schema-sample.ts'

/** Blocks far above may be of a document that is larger. */
const readBefore = 100_000
const blockWords: readonly string[] = ['if', 'unless', 'each', 'with']

/** What is completed in a document: what the languages know, and in Handlebars what the template can use. */
export function completionsFor(id: DocumentId, model: EditorModel, library: Library): Extension {
  const completion = autocompletion({ icons: false, tooltipClass: () => 'editor-completion' })
  if (languageOf(id) !== 'handlebars') return completion
  let data: unknown = {}
  const complete = ({ state, pos }: CompletionContext): CompletionResult | null => {
    const before = state.sliceDoc(Math.max(0, pos - readBefore), pos)
    const mustache = mustacheAt(before)
    if (mustache !== undefined) {
      data = dataOf(model) ?? data
      const options = optionsIn(mustache, data, library)
      return options.length === 0 ? null : { from: pos - mustache.word.length, options, validFor: /^[@\w./-]*$/ }
    }
    return assetsAt(before, pos, library)
  }
  return [completion, EditorState.languageData.of(() => [{ autocomplete: complete }])]
}

/** The data of the set that is shown, with what only the schema names. Undefined while they are not JSON. */
function dataOf(model: EditorModel): unknown {
  const data = parseObject(model.text(dataDocument(model.set.value)))
  if ('problem' in data) return undefined
  const schema = parseObject(model.fields.value.data_schema)
  return 'value' in schema ? withSample(data.value, sampleOfSchema(schema.value)) : data.value
}

function optionsIn({ kind, helper, blocks }: MustacheContext, data: unknown, library: Library): Completion[] {
  const helpers = library.helpers.value
  switch (kind) {
    case 'partial':
      return library.partials.value.map(({ name, version }) => ({ label: name, detail: `version ${version}` }))
    case 'close': {
      const name = blocks.at(-1)?.name
      return name === undefined ? [] : [{ label: name }]
    }
    case 'block':
      return helpers.filter(({ block }) => block).map((one) => helperOption(one))
    case 'name':
      return [
        ...paths(data, blocks),
        ...helpers.map((one) => helperOption(one, one.block && blockWords.includes(one.name) ? '#' : '')),
      ]
    default: {
      const named = helpers.find(({ name }) => name === helper)?.named ?? []
      return [
        ...paths(data, blocks),
        ...named.map((name) => ({ label: `${name}=`, detail: 'named argument', boost: 1 })),
      ]
    }
  }
}

const paths = (data: unknown, blocks: MustacheContext['blocks']): Completion[] =>
  pathsIn(data, blocks).map(({ path, value }) => ({
    label: path,
    detail: valueText(value),
    boost: path.startsWith('@root.') ? -10 : 2,
  }))

function helperOption(helper: Helper, sign = ''): Completion {
  return { label: sign + helper.name, detail: helper.family.toLowerCase(), info: () => helperInfo(helper) }
}

/** Of a value, enough to know it. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length}`
  if (typeof value === 'object' && value !== null) return '{…}'
  if (value === undefined) return ''
  const text = String(value)
  return text.length > 24 ? `${text.slice(0, 24)}…` : text
}

/** The assets, in `src`, `href` and `url()`. */
function assetsAt(before: string, pos: number, library: Library): CompletionResult | null {
  const [, word] = /(?:(?:src|href)\s*=\s*["']|url\(\s*["']?)([\w:./@+-]*)$/.exec(before) ?? []
  if (word === undefined) return null
  const options = library.assets.value.map(({ name, type }) => ({ label: `asset:${name}`, detail: type }))
  return options.length === 0 ? null : { from: pos - word.length, options, validFor: /^[\w:./@+-]*$/ }
}

/** The documentation of a helper, beside the list of completions. */
function helperInfo({ signature, description, examples }: Helper): HTMLElement {
  const info = document.createElement('div')
  info.append(element('code', signature), element('p', description))
  for (const { template, result } of examples.slice(0, 2)) {
    const line = document.createElement('p')
    line.append(element('code', template), ' → ', element('code', result))
    info.append(line)
  }
  return info
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}
