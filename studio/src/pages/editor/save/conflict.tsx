import type { EditorModel } from '../model/editor-model.ts'

export function Conflict(_: { model: EditorModel; onMerged(): void }) {
  return null
}
