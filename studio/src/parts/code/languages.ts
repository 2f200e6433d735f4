import { html } from '@codemirror/lang-html'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { type Extension, type Range, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

const mark = (name: string) => Decoration.mark({ class: name })
const whole = mark('cm-mustache')
const comment = mark('cm-mustache cm-mustache-comment')
const name = mark('cm-mustache-name')
const text = mark('cm-mustache-text')

// A comment may have mustaches inside; a call may be on several lines.
const mustaches = /\{\{~?!--[\s\S]*?--~?\}\}|\{\{\{?[\s\S]*?\}?\}\}/g
const inside = /"[^"]*"|'[^']*'|(?<=^\{\{\{?~?\s*[#/^>]?\s*\*?\s*|\()[\w@./-]+/g
/** Before what is seen, where a mustache may begin that reaches into it. */
const before = 2_000

function decorationsOf({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  let done = 0
  for (const { from, to } of visibleRanges) {
    const start = Math.max(done, from - before)
    for (const match of state.sliceDoc(start, to).matchAll(mustaches)) {
      const at = start + match.index
      const end = at + match[0].length
      if (at < done) continue
      done = end
      for (const { from, to, value } of marksOf(match[0], at)) builder.add(from, to, value)
    }
  }
  return builder.finish()
}

function marksOf(call: string, at: number): Range<Decoration>[] {
  const end = at + call.length
  if (/^\{\{~?!/.test(call)) return [comment.range(at, end)]
  const parts = [...call.matchAll(inside)].map(({ 0: part, index }) =>
    (/^["']/.test(part) ? text : name).range(at + index, at + index + part.length),
  )
  return [whole.range(at, end), ...parts]
}

/** Shows what is Handlebars in HTML. */
const mustacheHighlight = ViewPlugin.define(
  (view) => ({
    decorations: decorationsOf(view),
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = decorationsOf(update.view)
    },
  }),
  { decorations: ({ decorations }) => decorations },
)

/** The languages of the parts of a template. `handlebars`: HTML with Handlebars. */
export type Language = 'handlebars' | 'json' | 'javascript'

const extensions: Readonly<Record<Language, () => Extension>> = {
  handlebars: () => [html({ selfClosingTags: true }), mustacheHighlight],
  json: () => json(),
  javascript: () => javascript(),
}

/** What CodeMirror needs to know of a language. */
export const languageExtension = (language: Language): Extension => extensions[language]()
