import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The colours are those of the studio, which follow light and dark. */
export const highlighting = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword, tags.operatorKeyword], color: 'var(--run)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--ink-2)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
  { tag: [tags.comment, tags.docComment], color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: [tags.angleBracket, tags.punctuation, tags.bracket], color: 'var(--ink-3)' },
])

const removed = 'color-mix(in srgb, var(--bad-bg) 60%, transparent)'
const added = 'color-mix(in srgb, var(--ok-bg) 60%, transparent)'

export const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: 'var(--text-s)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--mono)', padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-scroller': { lineHeight: '1.65', fontFamily: 'var(--mono)' },
  '.cm-gutters': { border: 'none', backgroundColor: 'transparent', color: 'var(--ink-3)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 10px 0 14px', minWidth: '32px' },
  '.cm-changeGutter': { width: '3px', paddingLeft: '0' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: removed },
  '&.cm-merge-b .cm-changedLine, &.cm-merge-b .cm-inlineChangedLine': { backgroundColor: added },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--bad) 24%, transparent)',
    borderRadius: '2px',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'color-mix(in srgb, var(--ok) 24%, transparent)',
    borderRadius: '2px',
  },
  '.cm-collapsedLines': {
    padding: '3px 14px',
    background: 'var(--bg-sunken)',
    color: 'var(--ink-2)',
    fontFamily: 'var(--sans)',
    borderBlock: '1px solid var(--line)',
  },
  '.cm-mergeSpacer': { background: 'repeating-linear-gradient(-45deg, transparent 0 4px, var(--bg-hover) 4px 5px)' },
})
