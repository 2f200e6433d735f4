import { StringEnum } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { Name, OwnerId } from '../ids/owner-id.ts'

/** An owner in HTTP responses. */
export const Owner = Type.Object({
  id: OwnerId,
  name: Type.String(),
  status: StringEnum(['active', 'disabled'], {
    title: 'OwnerStatus',
    description: 'The API keys of a disabled owner are answered with 403.',
  }),
  created_at: Type.Optional(Type.String({ format: 'date-time', description: 'Absent for `own_default`.' })),
})
export type Owner = Static<typeof Owner>

export const CreateOwnerBody = Type.Object(
  { name: Name },
  { title: 'CreateOwnerRequest', additionalProperties: false, examples: [{ name: 'Acme' }] },
)

export const UpdateOwnerBody = Type.Object(
  { name: Type.Optional(Name), status: Type.Optional(StringEnum(['active', 'disabled'], { title: 'OwnerStatus' })) },
  { title: 'UpdateOwnerRequest', additionalProperties: false, minProperties: 1, examples: [{ name: 'Acme Ltd' }] },
)
