import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Text } from '../events/fields.ts'

/** A partial with these calls is about to be saved, unless it is refused. `metadata.causation_id` is the id of its command. */
export const PartialSaveBegun = defineEvent({
  type: 'PartialSaveBegun',
  aggregate: { category: 'partialsave' },
  summary: 'A partial is about to be saved.',
  data: Type.Object({ name: Text, calls: Type.Array(Text) }),
  describe: ({ name, calls }) => ['partial is about to be saved', name, calls.join(' ')],
  example: { id: 'own_default', data: { name: 'letterhead', calls: ['address'] } },
})
export type PartialSaveBegun = Recorded<typeof PartialSaveBegun>
