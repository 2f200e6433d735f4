import { html } from '@codemirror/lang-html'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import type { Extension } from '@codemirror/state'
import { mustacheHighlight } from './mustache-highlight.ts'

/** The languages of the parts of a template. `handlebars`: HTML with Handlebars. */
export type Language = 'handlebars' | 'json' | 'javascript'

const extensions: Readonly<Record<Language, () => Extension>> = {
  handlebars: () => [html({ selfClosingTags: true }), mustacheHighlight],
  json: () => json(),
  javascript: () => javascript(),
}

/** What CodeMirror needs to know of a language. */
export const languageExtension = (language: Language): Extension => extensions[language]()
