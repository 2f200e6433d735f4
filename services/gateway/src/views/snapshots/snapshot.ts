import { createHash, randomBytes } from 'node:crypto'
import type { Position } from '@platen/event-store/event-store.ts'
import type { ViewSchema } from '@platen/service-kit/projections/view-database.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import packageManifest from '../../../../../package.json' with { type: 'json' }

/** The category of the keys of snapshots in the object store. */
export const snapshotCategory = 'views'

/** So many are read from the log in about two seconds: no snapshot is needed for fewer. */
export const fewEvents = 100_000

/** Bytes of a part of a snapshot in the object store. The last one may have fewer. */
export const partBytes = 4 * 2 ** 20
/** A snapshot has at most 39 GiB. */
export const maxParts = 10_000
/** The largest manifest is smaller. */
export const maxManifestBytes = 2 * 2 ** 20

const Count = Type.Integer({ minimum: 0 })
const Part = Type.Object({
  bytes: Type.Integer({ minimum: 1, maximum: partBytes }),
  /** SHA-256, in hex. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

/**
 * The manifest of a snapshot: a file of views, compressed with Zstandard (RFC 8878) and cut into parts. It is written after them, so a
 * snapshot with a manifest is complete. Neither is ever replaced.
 */
export const Snapshot = Type.Object({
  format: Type.Literal('platen-views-1'),
  /** See `schemaHash`. */
  schema: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  /** The position of the last event that the views show. */
  position: Type.String({ minLength: 1 }),
  /** The number of events that led to the views. */
  events: Count,
  /** How many of them the release of the gateway could not read. */
  unreadable: Count,
  /** The release of the gateway that has taken it. */
  release: Type.String(),
  /** See `AppliedEvents`. */
  purged_at: Type.String(),
  /** VIEW_RETENTION_DAYS of the gateway that has taken it. */
  retention_days: Count,
  /** RFC 3339. */
  taken_at: Type.String(),
  /** Bytes of the file. */
  size: Count,
  parts: Type.Array(Part, { minItems: 1, maxItems: maxParts }),
})
export type Snapshot = Omit<Static<typeof Snapshot>, 'position'> & { position: Position }

const schema = Compile(Snapshot)

/** The release of this process. */
export const release: string = packageManifest.version

/** Names the tables of views: only a snapshot of the same ones can be used. */
export function schemaHash({ version, tables }: ViewSchema): string {
  return createHash('sha256').update(`${version}\n${tables}`).digest('hex').slice(0, 16)
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The beginning of the keys of a snapshot. In the order of text, those with more events come later, and of as many the younger ones. The last
 * part distinguishes two that are taken at once.
 */
export function newStem({ schema, events }: Pick<Snapshot, 'schema' | 'events'>, at = Date.now()): string {
  const time = at.toString(16).padStart(12, '0')
  return `${schema}.${`${events}`.padStart(12, '0')}.${time}${randomBytes(4).toString('hex')}`
}

export const manifestKey = (stem: string): string => `${snapshotCategory}/${stem}.json`
export const partKey = (stem: string, number: number): string =>
  `${snapshotCategory}/${stem}.${`${number}`.padStart(5, '0')}.zst`

/** What the key of an object of a snapshot says. */
interface ParsedKey extends Pick<Snapshot, 'schema' | 'events'> {
  stem: string
  isManifest: boolean
}

/** Undefined if the object is not one of a snapshot. */
export function parseSnapshotKey(key: string): ParsedKey | undefined {
  const pattern = /^views\/(([0-9a-f]{16})\.(\d{12,16})\.[0-9a-f]{20})\.(json|\d{5}\.zst)$/
  const [, stem, schema, events, end] = pattern.exec(key) ?? []
  return stem && schema && end ? { stem, schema, events: Number(events), isManifest: end === 'json' } : undefined
}

/** Two lines: the manifest as JSON, and its signature. */
export function encodeManifest(snapshot: Snapshot, signing: Pick<Signing, 'snapshotSignature'>): Buffer {
  const text = JSON.stringify(snapshot)
  return Buffer.from(`${text}\n${signing.snapshotSignature(text)}\n`)
}

/**
 * Throws UnusableSnapshot if this deployment has not signed the manifest. Views have the hashes of API keys: whoever may write to the
 * object store must not be able to add one.
 */
export function decodeManifest(bytes: Uint8Array, signing: Pick<Signing, 'snapshotSignatureMatches'>): Snapshot {
  const [text = '', signature = ''] = Buffer.from(bytes).toString().split('\n')
  if (!signing.snapshotSignatureMatches(text, signature)) {
    throw new UnusableSnapshot('its manifest is damaged, or was signed with another SIGNING_SECRET')
  }
  const value: unknown = JSON.parse(text)
  if (!schema.Check(value)) throw new UnusableSnapshot('its manifest is of another version')
  return value as Snapshot
}

/** The message says why, as the end of a sentence about the snapshot. */
export class UnusableSnapshot extends Error {
  override readonly name = 'UnusableSnapshot'
}
