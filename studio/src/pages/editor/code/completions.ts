import { autocompletion } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import type { DocumentId } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'

/** What is completed in a document. */
export function completionsFor(_id: DocumentId, _model: EditorModel): Extension {
  return autocompletion({ icons: false })
}
