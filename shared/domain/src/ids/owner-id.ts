import { type Static, Type } from 'typebox'

export const ownerIdPattern = '^own_([0-9a-z]{26}|default)$'

/**
 * An owner has API keys. Templates, slugs, generations, webhook secrets and limits belong to it, and another owner's do not
 * exist for its keys.
 */
export const OwnerId = Type.String({
  pattern: ownerIdPattern,
  examples: ['own_01k9x2v7w3d5e8f0g2h4j6k8m0'],
})
export type OwnerId = Static<typeof OwnerId>

/**
 * The owner that every deployment has, also without events of its own.
 */
export const defaultOwnerId = 'own_default'

/** Characters. */
export const longestName = 100

/** 1 to 100 characters, not blank. Also the pattern of an API key's name. */
export const Name = Type.String({ minLength: 1, maxLength: longestName, pattern: '\\S' })
