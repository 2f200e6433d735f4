import { EditorView } from '@codemirror/view'

const tint = (color: string, percent: number) => `color-mix(in srgb, ${color} ${percent}%, transparent)`
const text = (color: string) => ({ background: tint(color, 24), borderRadius: '2px' })

/** The look of two texts that are compared: what only the left one has is red, what only the right one has is green. */
export const differenceLook = EditorView.theme({
  '&': { height: 'auto' },
  '.cm-changeGutter': { width: '3px', paddingLeft: '0' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: tint('var(--bad-bg)', 60) },
  '&.cm-merge-b .cm-changedLine, &.cm-merge-b .cm-inlineChangedLine': { backgroundColor: tint('var(--ok-bg)', 60) },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': text('var(--bad)'),
  '&.cm-merge-b .cm-changedText': text('var(--ok)'),
  '.cm-collapsedLines': {
    padding: '4px 12px',
    background: 'var(--bg-sunken)',
    color: 'var(--ink-2)',
    fontFamily: 'var(--sans)',
    borderBlock: '1px solid var(--line)',
  },
  '.cm-mergeSpacer': { background: 'repeating-linear-gradient(-45deg, transparent 0 4px, var(--bg-hover) 4px 5px)' },
})
