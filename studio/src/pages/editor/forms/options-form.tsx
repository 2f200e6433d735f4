import type { EditorModel } from '../model/editor-model.ts'

export function OptionsForm(_: { model: EditorModel }) {
  return null
}
