import type { EditorModel } from '../model/editor-model.ts'

export function DataForm(_: { model: EditorModel }) {
  return null
}
