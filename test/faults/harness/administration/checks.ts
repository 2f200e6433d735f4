import { createHash } from 'node:crypto'
import type { LoggedEvent, Write } from '../evidence.ts'
import { type Recorded, recordedAsAnswered } from '../recorded.ts'
import { type Check, type Facts, inStream, type Judged, verdict } from '../verdict.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const key = { category: 'apikey' }
const owner = { category: 'owner' }

const rules: Record<string, Recorded> = {
  issueApiKey: { ...key, types: ['ApiKeyIssued'], compare: sameSecret },
  // A 202 has a secret that may not be recorded.
  rotateApiKey: {
    ...key,
    types: ['ApiKeyRotated'],
    hasSecret: true,
    compare: sameSecret,
    least: ({ status }) => (status === 202 ? 0 : 1),
  },
  revokeApiKey: {
    ...key,
    types: ['ApiKeyRevoked'],
    // A request that got no answer may have revoked the key.
    least: () => 0,
    *unchanged({ subject }, facts) {
      const revoked = inStream(facts, `apikey-${subject}`).some(({ type }) => type === 'ApiKeyRevoked')
      yield verdict(revoked, () => `${subject} was acknowledged as revoked and is not`)
    },
  },
  createOwner: { ...owner, types: ['OwnerCreated'], compare: sameOwner },
  updateOwner: {
    ...owner,
    types: ['OwnerRenamed', 'OwnerDisabled', 'OwnerEnabled'],
    least: () => 0,
    most: ({ sent }) => Object.keys(sent).length,
    compare: sameOwner,
  },
  rotateWebhookSecret: { ...owner, types: ['OwnerWebhookSecretRotated'] },
}

/** The secret in the answer is the one whose hash is recorded: no other can be used. */
function* sameSecret({ operation, subject, body }: Write, { aggregate, data, type }: LoggedEvent): Judged {
  const name = `${operation} of ${subject}`
  yield verdict(body?.id === aggregate, () => `${name} was answered with ${body?.id}, the log has ${aggregate}`)
  yield verdict(
    sha256(String(body?.key)) === data.sha256,
    () => `${name}: the secret of the answer is not the recorded one`,
  )
  if (type === 'ApiKeyIssued')
    yield verdict(body?.name === data.name, () => `${name} has the name ${body?.name}, not ${data.name}`)
}

/** Each owner is changed by one client, which waits for the answers: an answer shows its own change. */
function* sameOwner({ subject, sent, body }: Write, { aggregate, data, type }: LoggedEvent, facts: Facts): Judged {
  const events = inStream(facts, `owner-${aggregate}`)
  yield verdict(body?.id === aggregate, () => `${subject} was answered as ${body?.id}, the log has ${aggregate}`)
  yield verdict(events[0]?.type === 'OwnerCreated', () => `${aggregate} does not begin with its creation`)
  if (sent.name !== undefined)
    yield verdict(
      body?.name === sent.name,
      () => `${subject} was answered with the name ${body?.name}, not ${sent.name}`,
    )
  if (data.name !== undefined)
    yield verdict(data.name === sent.name, () => `${subject}: ${data.name} is recorded, ${sent.name} was sent`)
  if (sent.status !== undefined)
    yield verdict(body?.status === sent.status, () => `${subject} was answered as ${body?.status}, not ${sent.status}`)
  if (type === 'OwnerDisabled' || type === 'OwnerEnabled')
    yield verdict(
      (type === 'OwnerDisabled') === (sent.status === 'disabled'),
      () => `${subject}: ${type} is recorded, ${sent.status} was sent`,
    )
}

export const administrationRecorded: Check = (evidence, facts) => recordedAsAnswered(evidence, facts, rules)
