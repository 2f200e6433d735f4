import { Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { OwnerId } from '../ids/owner-id.ts'

// Fragments of templates: `{{> letterhead}}` in a template prints the partial `letterhead` of its owner.

export const partialLimits = {
  htmlBytes: 512 * 1024,
  /** The number of partials of an owner. */
  count: 1_000,
  /** Partials that one template uses, those of its partials included. */
  used: 50,
  usedBytes: 2 * 1024 * 1024,
  /** Calls from a template to a partial, from that to another, and so on. */
  depth: 20,
} as const

/** A name that Handlebars reads as one word. The partial's id derives from it, so that it cannot be changed. */
export const partialNamePattern = '^[A-Za-z][A-Za-z0-9_-]{0,63}$'
const namePattern = new RegExp(partialNamePattern)
export const isPartialName = (name: string): boolean => namePattern.test(name)

const Name = Type.String({ pattern: partialNamePattern, examples: ['letterhead'] })
const Html = Type.String({ minLength: 1, description: 'Handlebars source, at most 512 KiB' })
export const partialIdPattern = /^prt_[0-9a-z]{26}$/
const PartialId = Type.String({ pattern: partialIdPattern.source, examples: ['prt_01k9x2v7w3d5e8f0g2h4j6k8m0'] })

/** A partial in HTTP responses. */
export const Partial = Type.Object({
  id: PartialId,
  name: Name,
  html: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Partial = Static<typeof Partial>

/** A partial in a list. A summary has no HTML. */
export const ListedPartial = Type.Object(
  { ...Partial.properties, html: Type.Optional(Type.String()) },
  { title: 'ListedPartial' },
)
export type ListedPartial = Static<typeof ListedPartial>

export const CreatePartialBody = Type.Object(
  { name: Name, html: Html },
  {
    title: 'CreatePartialRequest',
    additionalProperties: false,
    examples: [{ name: 'letterhead', html: '<header><b>Lindqvist & Marlowe</b> {{department}}</header>' }],
  },
)
export type CreatePartialBody = Static<typeof CreatePartialBody>

export const UpdatePartialBody = Type.Object(
  { html: Html },
  {
    title: 'UpdatePartialRequest',
    additionalProperties: false,
    examples: [{ html: '<header><b>Lindqvist, Marlowe & Co.</b> {{department}}</header>' }],
  },
)
export type UpdatePartialBody = Static<typeof UpdatePartialBody>

// Commands from the gateway to the template service.

const Condition = Type.Optional(Type.Integer({ minimum: 1 }))

export const CreatePartial = Type.Object({
  type: Type.Literal('CreatePartial'),
  data: Type.Object({ partial_id: PartialId, owner_id: OwnerId, name: Name, html: Type.String() }),
})
export const UpdatePartial = Type.Object({
  type: Type.Literal('UpdatePartial'),
  data: Type.Object({ partial_id: PartialId, owner_id: OwnerId, html: Type.String(), if_version: Condition }),
})
export const DeletePartial = Type.Object({
  type: Type.Literal('DeletePartial'),
  data: Type.Object({ partial_id: PartialId, owner_id: OwnerId, if_version: Condition }),
})
export const PartialCommand = Type.Union([CreatePartial, UpdatePartial, DeletePartial])
export type CreatePartial = Static<typeof CreatePartial>
export type UpdatePartial = Static<typeof UpdatePartial>
export type DeletePartial = Static<typeof DeletePartial>
export type PartialCommand = Static<typeof PartialCommand>

/** The reply to a command of a partial: the result of its events, whatever came after them. */
export type PartialAnswer = {
  partial_id: string
  revision: number
  /** Absent after a delete. */
  partial?: Partial
}
