import { getChunks, goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { codeLook } from '../../parts/code/code-look.ts'
import { differenceLook } from '../../parts/code/difference-look.ts'
import { type Language, languageExtension } from '../../parts/code/languages.ts'

export interface ShownText {
  before: string
  after: string
  /** Read aloud. */
  names: { before: string; after: string }
  language: Language
  layout: 'split' | 'unified'
}

export interface TextView {
  /** Scrolls to the change before or after the last one. */
  goTo(which: 'next' | 'previous'): void
  remove(): void
}

/** Shorter differences are found exactly; a longer search would hold the page. */
const diffConfig = { scanLimit: 2_000, timeout: 300 }
const collapseUnchanged = { margin: 4, minSize: 8 }

/**
 * Shows what differs between two texts, which cannot be changed. It is in a shadow root: there the editor adopts its style sheets,
 * and needs no style element, which the policy of the studio does not allow.
 */
export function showDifference(parent: Element, { before, after, names, language, layout }: ShownText): TextView {
  const host = document.createElement('div')
  host.className = 'versions-editor-host'
  parent.append(host)
  const root = host.attachShadow({ mode: 'open' })
  const common = (name: string): Extension => [
    [languageExtension(language), codeLook, differenceLook],
    lineNumbers(),
    EditorView.lineWrapping,
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ 'aria-label': name, 'aria-readonly': 'true' }),
  ]
  const shown = layout === 'split' ? split() : unified()

  function split(): { view: EditorView; destroy(): void } {
    const merge = new MergeView({
      a: { doc: before, extensions: common(names.before) },
      b: { doc: after, extensions: common(names.after) },
      parent: root,
      root,
      collapseUnchanged,
      diffConfig,
    })
    return { view: merge.b, destroy: () => merge.destroy() }
  }

  function unified(): { view: EditorView; destroy(): void } {
    const merged = unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged, diffConfig })
    const view = new EditorView({ doc: after, extensions: [common(names.after), merged], parent: root, root })
    return { view, destroy: () => view.destroy() }
  }

  return {
    goTo(which) {
      const { view } = shown
      if ((getChunks(view.state)?.chunks.length ?? 0) === 0) return
      const go = which === 'next' ? goToNextChunk : goToPreviousChunk
      go({ state: view.state, dispatch: (transaction) => view.dispatch(transaction) })
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: 'center' }) })
    },
    remove() {
      shown.destroy()
      host.remove()
    },
  }
}
