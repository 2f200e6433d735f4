import { EditorView } from '@codemirror/view'

/**
 * A key that replaces what is selected. Left to itself, the browser keeps the look of the selection in an inline style, which the policy
 * of the studio forbids and reports.
 */
export const replaceSelection = EditorView.domEventHandlers({
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
