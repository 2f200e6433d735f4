/**
 * A row of docs/understand/leftovers.md: what it is, who leaves it and by which crash, from when it is left over, where the janitor
 * looks, and what it removes, in this order. `isUnknown`: the log knows nothing of it. Many of them mean another log, and are kept: for
 * good, or until their own time.
 */
type Kind = Record<'what' | 'leftBy' | 'since' | 'found' | 'removed', string> & { isUnknown?: true }

const command = { found: 'below the floor of its consumer, log', removed: 'message', since: 'its end is recorded' }
const input = { found: '`inputs/`, log, queue', removed: 'key or share, object', since: '1 h' }
const items = { found: '`inputs/`, log', removed: 'key, object', since: '1 h' }
const pdf = { found: '`pdfs/`, log', removed: 'object', since: '1 h' }
const asset = { found: '`assets/`, log', removed: 'given up in the log, object', since: '1 h' }
const key = { found: '`INPUT_KEYS`, `inputs/`, log, queue', removed: 'key', since: '1 h' }

/** All that may be left over. The log messages of the janitor have their numbers under these names. */
export const leftovers = {
  handledCommand: { ...command, what: 'acknowledged command', leftBy: 'nats-server whose disk was full' },
  expiredInput: { ...input, what: 'input', leftBy: 'time', since: 'its retention' },
  erasedInput: { ...input, what: 'input of an erased document', leftBy: 'gateway suspended before it wrote' },
  unnamedInput: { ...input, what: 'input that its document does not name', leftBy: 'equal requests; a lost answer' },
  unknownInput: { ...input, what: 'input without events', leftBy: 'gateway killed before it sent', isUnknown: true },
  unusedKey: { ...key, what: 'key without its input', leftBy: 'client that left; gateway killed', isUnknown: true },
  expiredKey: { ...key, what: 'key without its input', leftBy: 'the same', since: '`INPUT_RETENTION_DAYS`' },
  expiredItems: { ...items, what: 'items of an ended batch', leftBy: 'time', since: 'their retention' },
  unnamedItems: { ...items, what: 'items that their batch does not name', leftBy: 'equal requests' },
  unknownItems: { ...items, what: 'items without events', leftBy: 'gateway or log that failed', isUnknown: true },
  expiredPdf: { ...pdf, what: 'PDF', leftBy: 'time', since: 'its retention' },
  erasedPdf: { ...pdf, what: 'PDF of an erased document', leftBy: 'disk that lost power; suspended renderer' },
  unnamedPdf: { ...pdf, what: 'PDF that its document does not name', leftBy: 'renderer killed before the event' },
  unknownPdf: { ...pdf, what: 'PDF without events', leftBy: 'the same, of a short document', isUnknown: true },
  unnamedAsset: { ...asset, what: 'bytes uploaded twice', leftBy: 'two uploads at once' },
  unknownAsset: {
    ...asset,
    what: 'bytes without an event',
    leftBy: 'gateway killed before the event',
    isUnknown: true,
  },
} as const satisfies Record<string, Kind>

export type LeftoverKind = keyof typeof leftovers

export interface Leftover {
  kind: LeftoverKind
  /** The id of what it belongs to. */
  of: string
  /** Resolves to false if it was not removed, as it is in use after all. */
  remove(): Promise<unknown>
}
