import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { codeLook } from '../../../parts/code/code-look.ts'
import { languageExtension } from '../../../parts/code/languages.ts'
import { type DocumentId, languageOf } from '../model/documents.ts'
import type { Problem } from '../model/problem.ts'

/**
 * A key that replaces what is selected. Left to itself, the browser keeps the look of the selection in an inline style, which the policy
 * of the studio forbids and reports.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data: text, isComposing } = event
    const { from, to, empty } = view.state.selection.main
    if (inputType !== 'insertText' || !text || isComposing || empty || view.state.readOnly) return false
    event.preventDefault()
    const typed = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, from, to, text, typed))) view.dispatch(typed())
    return true
  },
})

export interface CodeViewOptions {
  readOnly: boolean
  /** What is edited, read aloud: `Body, HTML with Handlebars`. */
  labelOf(id: DocumentId): string
  onChange(id: DocumentId, text: string): void
  /** Completions of the language, for example. */
  more(id: DocumentId): Extension
}

/**
 * The editor of the documents, one at a time; each keeps its selection and what can be undone. It is in a shadow root, because the
 * policy of the studio allows no style elements: there, CodeMirror uses style sheets that are objects.
 */
export class CodeView {
  readonly #view: EditorView
  readonly #options: CodeViewOptions
  readonly #kept = new Map<DocumentId, { state: EditorState; top: number }>()
  #shown: DocumentId | undefined
  #text = ''
  /** How lines end in the document that is shown. The editor knows line feeds alone. */
  #lineEnd: '\n' | '\r\n' = '\n'

  constructor(host: HTMLElement, options: CodeViewOptions) {
    this.#options = options
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true })
    this.#view = new EditorView({ parent: root, root })
  }

  /** Whether something else is in its place. */
  isHidden = false

  /** The document that is shown. */
  get shown(): DocumentId | undefined {
    return this.#shown
  }

  /** Shows a document. A text that differs from that of the editor replaces it, and can be undone. */
  show(id: DocumentId, document: string): void {
    this.#lineEnd = document.includes('\r\n') ? '\r\n' : '\n'
    const text = document.replaceAll(/\r\n?/g, '\n')
    if (id !== this.#shown) this.#open(id, text)
    if (text === this.#text) return
    this.#text = text
    const { state } = this.#view
    this.#view.dispatch({
      changes: { from: 0, to: state.doc.length, insert: text },
      selection: { anchor: Math.min(state.selection.main.head, text.length) },
    })
  }

  #open(id: DocumentId, text: string): void {
    if (this.#shown !== undefined) {
      this.#kept.set(this.#shown, { state: this.#view.state, top: this.#view.scrollDOM.scrollTop })
    }
    const { state = this.#stateOf(id, text), top = 0 } = this.#kept.get(id) ?? {}
    this.#shown = id
    this.#text = state.doc.toString()
    this.#view.setState(state)
    this.#view.scrollDOM.scrollTop = top
  }

  #stateOf(id: DocumentId, doc: string): EditorState {
    const { readOnly, labelOf, onChange, more } = this.#options
    return EditorState.create({
      doc,
      extensions: [
        [lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), highlightActiveLine()],
        [highlightActiveLineGutter(), indentOnInput(), bracketMatching(), closeBrackets(), highlightSelectionMatches()],
        [search({ top: true }), EditorView.lineWrapping, indentUnit.of('  '), EditorState.tabSize.of(2)],
        [more(id), replaceSelection],
        languageExtension(languageOf(id)),
        keymap.of([
          ...[...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap],
          ...[...completionKeymap, ...lintKeymap, indentWithTab],
        ]),
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ 'aria-label': labelOf(id), tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return
          const text = state.doc.toString()
          if (text === this.#text) return
          this.#text = text
          onChange(id, text.replaceAll('\n', this.#lineEnd))
        }),
        codeLook,
      ],
    })
  }

  /** Marks the problems of the document that is shown. */
  mark(problems: readonly Problem[]): void {
    const { doc } = this.#view.state
    const diagnostics = problems.flatMap(({ severity, text: message, place }) => {
      if (place === undefined || place.document !== this.#shown) return []
      const line = doc.line(Math.min(Math.max(1, place.line), doc.lines))
      const from = Math.min(line.from + place.column - 1, line.to)
      const end = /^(\{\{.*?\}\}|[^\s<}]+)/.exec(doc.sliceString(from, line.to))?.[0].length ?? 0
      return [{ from, to: from + end, severity, message }]
    })
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics))
  }

  goTo(line: number, column: number): void {
    const { doc } = this.#view.state
    const at = doc.line(Math.min(Math.max(1, line), doc.lines))
    const anchor = Math.min(at.from + column - 1, at.to)
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    this.#view.focus()
  }

  /** Whether the cursor is in a style element. */
  get isInStyle(): boolean {
    const { doc, selection } = this.#view.state
    const before = doc.sliceString(0, selection.main.head).toLowerCase()
    const open = before.lastIndexOf('<style')
    return open > before.lastIndexOf('</style') && before.includes('>', open)
  }

  /** Writes at the cursor. */
  insert(text: string): void {
    this.#view.dispatch(this.#view.state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input' })
    this.#view.focus()
  }

  focus(): void {
    this.#view.focus()
  }

  destroy(): void {
    this.#view.destroy()
  }
}
