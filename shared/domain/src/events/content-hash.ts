import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { Sha256 } from './fields.ts'

// Sources of templates and partials are content of their owner, while subscribers read the events of all owners. Events
// say that a source has changed; HTTP returns it to those who may read it.

export const HtmlSha256 = Type.String({ ...Sha256, description: 'SHA-256 of the source, in hex' })

/** SHA-256 of a text, in hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
