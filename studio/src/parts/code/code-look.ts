import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

// The colours are in tokens.css: custom properties reach into the shadow root.
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--bg)', fontSize: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--code-selection)' },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--ink-3)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px', minWidth: '36px' },
  '.cm-activeLine': { backgroundColor: 'var(--code-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--code-line)', color: 'var(--ink)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--bg-selected)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-mustache': { backgroundColor: 'var(--code-mustache-bg)', color: 'var(--code-mustache)', borderRadius: '2px' },
  '.cm-mustache-name': { color: 'var(--code-mustache)', fontWeight: 'var(--strong)' },
  '.cm-mustache-text': { color: 'var(--code-string)' },
  '.cm-mustache-comment': { color: 'var(--ink-3)', fontStyle: 'italic' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    backgroundColor: 'var(--bg)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--bg-selected)', color: 'var(--ink)' },
  '.cm-completionDetail': { color: 'var(--ink-2)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 'var(--strong)' },
  '.cm-tooltip.cm-completionInfo': { padding: '8px 12px', maxWidth: '24rem', fontFamily: 'var(--sans)' },
  '.cm-completionInfo code': { fontFamily: 'var(--mono)', fontSize: 'var(--text-s)' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', padding: '4px 12px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px dotted var(--warn)' },
  '.cm-lint-marker': { width: '10px', height: '10px', marginTop: '5px', borderRadius: '50%', content: 'none' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--bad)' },
  '.cm-lint-marker-warning': { backgroundColor: 'var(--warn)' },
  '.cm-panels': { backgroundColor: 'var(--bg-side)', color: 'var(--ink)', fontFamily: 'var(--sans)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 12px' },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-s)' },
  '.cm-textfield': {
    padding: '4px 8px',
    border: '1px solid var(--line-control)',
    borderRadius: '4px',
    backgroundColor: 'var(--bg)',
    fontSize: 'var(--text)',
  },
  '.cm-button': {
    padding: '4px 8px',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    background: 'var(--bg)',
    fontSize: 'var(--text-s)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-bg)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--code-selection)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--bg-selected)', border: 'none', color: 'var(--ink-2)' },
})

const highlight = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket, tags.keyword], color: 'var(--code-tag)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--code-name)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.unit, tags.color, tags.atom], color: 'var(--code-value)' },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: [tags.className, tags.labelName, tags.definition(tags.variableName)], color: 'var(--code-mustache)' },
  { tag: tags.invalid, color: 'var(--bad)' },
])

/** The look of every text with CodeMirror: its colours, and those of the languages. */
export const codeLook = [theme, syntaxHighlighting(highlight)]
