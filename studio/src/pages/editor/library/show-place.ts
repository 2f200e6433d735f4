import { setQuery } from '../../../router/address.ts'
import type { Inserter } from '../code/inserter.ts'
import { setOf } from '../model/documents.ts'
import type { EditorModel } from '../model/editor-model.ts'
import type { Place } from '../model/problem.ts'
import { tabOf } from '../model/tab-of.ts'

/** Shows a place of a source in its editor. */
export function showPlace(model: EditorModel, inserter: Inserter, place: Place): void {
  const { document } = place
  if (document === 'sample_data') model.set.value = ''
  else model.set.value = setOf(document) ?? model.set.value
  setQuery({ tab: tabOf(document), as: '', pane: '' })
  inserter.goTo(place)
}
