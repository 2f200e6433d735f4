import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { MergeView } from '@codemirror/merge'
import { Annotation, EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { h, render } from 'preact'
import { codeLook } from '../../../parts/code/code-look.ts'
import { differenceLook } from '../../../parts/code/difference-look.ts'
import { type Language, languageExtension } from '../../../parts/code/languages.ts'
import { Icon } from '../../../parts/icon.tsx'

export interface MergeOptions {
  theirs: string
  /** What will be saved. */
  result: string
  version: number
  language: Language
  /** Whether what will be saved can be typed in. */
  mayEdit: boolean
  onChange(text: string): void
}

export interface OpenedMerge {
  setResult(text: string): void
  destroy(): void
}

/** A change that was not typed. */
const chosen = Annotation.define<boolean>()

/** Two texts beside each other, of which the right one is edited. In a shadow root, for the reason that CodeView has. */
export function openMergeView(host: HTMLElement, options: MergeOptions): OpenedMerge {
  const { theirs, result, version, language, mayEdit, onChange } = options
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const shared = [lineNumbers(), EditorView.lineWrapping, languageExtension(language), codeLook, differenceLook]
  const label = (text: string) => EditorView.contentAttributes.of({ 'aria-label': text, tabindex: '0' })
  const merge = new MergeView({
    parent: root,
    root,
    ...(mayEdit && { revertControls: 'a-to-b', renderRevertControl: takeButton }),
    collapseUnchanged: { margin: 3, minSize: 6 },
    a: { doc: theirs, extensions: [shared, EditorState.readOnly.of(true), label(`Theirs, version ${version}`)] },
    b: {
      doc: result,
      extensions: [
        ...[
          shared,
          EditorState.readOnly.of(!mayEdit),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          label('To be saved'),
        ],
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (docChanged && !transactions.some((one) => one.annotation(chosen))) onChange(state.doc.toString())
        }),
      ],
    },
  })
  return {
    setResult: (text) => {
      const { state } = merge.b
      if (state.doc.toString() === text) return
      merge.b.dispatch({ changes: { from: 0, to: state.doc.length, insert: text }, annotations: chosen.of(true) })
    },
    destroy: () => merge.destroy(),
  }
}

/** Takes a change of theirs over. */
function takeButton(): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  render(h(Icon, { name: 'arrow-right' }), button)
  button.title = 'Take this change'
  button.setAttribute('aria-label', 'Take this change')
  Object.assign(button.style, { width: '24px', height: '24px', cursor: 'pointer', color: 'inherit' })
  return button
}
