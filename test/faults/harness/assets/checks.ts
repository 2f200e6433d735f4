import type { LoggedEvent, Write } from '../evidence.ts'
import { type Recorded, recordedAsAnswered } from '../recorded.ts'
import { type Check, type Facts, inStream, type Judged, verdict } from '../verdict.ts'

const category = 'asset'

const rules: Record<string, Recorded> = {
  // Uploading the same bytes again changes nothing.
  putAsset: { category, types: ['AssetStored'], hasConsequences: true, least: () => 0, compare: sameContent },
  deleteAsset: {
    category,
    types: ['AssetDeleted'],
    hasConsequences: true,
    *compare({ subject, sent }, event, facts) {
      yield verdict(event.data.name === subject, () => `the deletion of ${subject} is recorded for ${event.data.name}`)
      yield* conditionsHeld({ subject, sent }, event, facts)
    },
  },
}

function* sameContent(write: Write, event: LoggedEvent, facts: Facts): Judged {
  const { subject, sent, body, etag, status } = write
  const { data, aggregate, revision } = event
  const before = inStream(facts, `${category}-${aggregate}`).filter(
    (one) => one.revision < revision && isOf(one, subject),
  )
  const version = before.filter(({ type }) => type === 'AssetStored').length + 1
  const name = `the upload of ${subject}`
  yield verdict(data.name === subject, () => `${name} is recorded for ${data.name}`)
  yield verdict(data.sha256 === sent.sha256, () => `${name}: other bytes are recorded than were sent`)
  yield verdict(body?.sha256 === sent.sha256 && etag === sent.sha256, () => `${name} was answered with other bytes`)
  yield verdict(
    body?.version === version,
    () => `${name}: version ${body?.version} was answered, ${version} is recorded`,
  )
  const isNew = before.at(-1)?.type !== 'AssetStored'
  yield verdict(
    status === (isNew ? 201 : 200),
    () => `${name} was answered with ${status}, and is ${isNew ? '' : 'not '}new`,
  )
  yield* conditionsHeld(write, event, facts)
}

const isOf = ({ data }: LoggedEvent, name: string) => data.name === name

function* conditionsHeld({ subject, sent }: Pick<Write, 'subject' | 'sent'>, event: LoggedEvent, facts: Facts): Judged {
  const events = inStream(facts, `${category}-${event.aggregate}`)
  const last = events.findLast((one) => one.revision < event.revision && isOf(one, subject))
  const current = last?.type === 'AssetStored' ? last.data.sha256 : undefined
  if (sent.ifSha256 !== undefined)
    yield verdict(current === sent.ifSha256, () => `${subject}: If-Match ${sent.ifSha256} has replaced ${current}`)
  if (sent.ifNone) yield verdict(current === undefined, () => `${subject}: If-None-Match has replaced ${current}`)
}

export const assetsRecorded: Check = (evidence, facts) => recordedAsAnswered(evidence, facts, rules)

/** What an event names is stored: templates may be pinned to it. */
export const assetsAreStored: Check = function* ({ log, objects, keptObjects }) {
  const files = new Map(objects.map((file) => [file.key, file]))
  const kept = new Set(keptObjects)
  const named = new Set<string>()
  for (const { type, aggregate, data } of log) {
    if (type !== 'AssetStored') continue
    const key = `assets/${aggregate}.${data.sha256}.${data.object}`
    if (named.has(key)) continue
    named.add(key)
    const file = files.get(key)
    yield verdict(file !== undefined, () => `${data.name}: there is no object ${key}`)
    if (!file) continue
    const same = file.size === data.bytes && file.sha256 === data.sha256
    yield verdict(same, () => `${data.name}: ${key} has other bytes than were uploaded`)
    yield verdict(kept.has(key), () => `${data.name}: ${key} is recorded and was removed`)
  }
}

export const noAssetOrphans: Check = function* ({ log, keptObjects }) {
  const stored = log.filter(({ type }) => type === 'AssetContentStored')
  const named = new Set(stored.map(({ aggregate, data }) => `assets/${aggregate}.${data.object}`))
  for (const key of keptObjects)
    if (key.startsWith('assets/')) yield verdict(named.has(key), () => `${key} has no event and is kept for ever`)
}
