import type { EditorModel } from '../model/editor-model.ts'

export function DataBar(_: { model: EditorModel }) {
  return null
}
