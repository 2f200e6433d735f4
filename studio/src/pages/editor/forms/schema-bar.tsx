import type { EditorModel } from '../model/editor-model.ts'

export function SchemaBar(_: { model: EditorModel }) {
  return null
}
