import type { Decider } from '@platen/event-store/decider.ts'
import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Count, Text } from '../events/fields.ts'

// The stream of a content that an owner has uploaded. It decides which object has the bytes, so that of a sweep and an
// upload at the same time only one succeeds.

const content = { category: 'assetcontent' } as const

export const assetContentStream = (ownerId: string, sha256: string) => `assetcontent-${ownerId}.${sha256}`

const id = 'own_default.9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

/** `object`: the last part of the key. `references`: of a style sheet or script, as `referenceOf` has them: any name may have it. */
export const AssetContentStored = defineEvent({
  type: 'AssetContentStored',
  aggregate: content,
  summary: 'The bytes of an asset are in the object store.',
  data: Type.Object({ object: Text, type: Text, bytes: Count, references: Type.Optional(Type.Array(Text)) }),
  describe: ({ type, bytes }) => ['content stored', type, `${bytes} bytes`],
  example: { id, data: { object: '0123456789abcdef', type: 'image/svg+xml', bytes: 1_204 } },
})
export type AssetContentStored = Recorded<typeof AssetContentStored>

/**
 * Recorded before the object is deleted. An upload that has written the object and resumes later writes another one.
 */
export const AssetContentGivenUp = defineEvent({
  type: 'AssetContentGivenUp',
  aggregate: content,
  summary: 'An object that no event names is deleted.',
  data: Type.Object({ object: Text }),
  describe: ({ object }) => ['content given up', object],
  example: { id, data: { object: '0123456789abcdef' } },
})
export type AssetContentGivenUp = Recorded<typeof AssetContentGivenUp>

export const assetContentEvents = { AssetContentStored, AssetContentGivenUp }
export type AssetContentEvent = Recorded<(typeof assetContentEvents)[keyof typeof assetContentEvents]>

export type AssetContentState =
  | { status: 'absent' }
  | { status: 'stored'; object: string; type: string; bytes: number; references: readonly string[] }
  | { status: 'given up'; object: string }

type AssetContentFold = Required<
  Pick<Decider<AssetContentState, never, AssetContentEvent>, 'initialState' | 'evolve' | 'isWhole'>
>

export const assetContentFold: AssetContentFold = {
  initialState: { status: 'absent' },
  evolve(state, event) {
    switch (event.type) {
      case 'AssetContentStored':
        return { status: 'stored', references: [], ...event.data }
      case 'AssetContentGivenUp':
        return { status: 'given up', object: event.data.object }
      case '$unreadable':
        return state
    }
  },
  isWhole({ type }) {
    switch (type) {
      case 'AssetContentStored':
      case 'AssetContentGivenUp':
        return true
      case '$unreadable':
        return false
    }
  },
}
