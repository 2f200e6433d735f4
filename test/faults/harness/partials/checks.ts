import type { LoggedEvent, Write } from '../evidence.ts'
import { changesInOrder, type Recorded, readsAreFresh, recordedAsAnswered } from '../recorded.ts'
import { type Check, type Judged, verdict } from '../verdict.ts'

const category = 'partial'
const isCommand = true
const changing = ['createPartial', 'updatePartial']

const rules: Record<string, Recorded> = {
  createPartial: { category, isCommand, types: ['PartialCreated'], compare: sameVersion },
  updatePartial: { category, isCommand, types: ['PartialUpdated'], compare: sameVersion },
  deletePartial: {
    category,
    isCommand,
    types: ['PartialDeleted'],
    *compare({ body, subject }, { aggregate }) {
      const same = body?.id === aggregate && body?.name === subject
      yield verdict(
        same,
        () => `the deletion of ${subject} is recorded for ${aggregate}, and was answered for ${body?.id}`,
      )
    },
  },
}

function* sameVersion({ subject, sent, body, etag, operation }: Write, event: LoggedEvent): Judged {
  const { aggregate, revision, data } = event
  const version = revision + 1
  const name = `${operation} of ${subject}`
  yield verdict(body?.id === aggregate, () => `${name} was answered with ${body?.id}, the log has ${aggregate}`)
  yield verdict(
    body?.version === version,
    () => `${name}: version ${body?.version} was answered, ${version} is recorded`,
  )
  yield verdict(etag === String(version), () => `${name}: the ETag of version ${version} is ${etag}`)
  yield verdict(data.html === sent.html, () => `${name}: “${data.html}” is recorded, “${sent.html}” was sent`)
  yield verdict(body?.html === sent.html, () => `${name}: “${body?.html}” was answered, “${sent.html}” was sent`)
  if (sent.ifVersion !== undefined)
    yield verdict(revision === sent.ifVersion, () => `${name}: a change of version ${sent.ifVersion} made ${version}`)
}

export const partialsRecorded: Check = function* (evidence, facts) {
  yield* recordedAsAnswered(evidence, facts, rules)
  yield* changesInOrder(evidence, facts, { category, operations: changing })
}

export const partialReadsAreFresh: Check = (evidence, facts) =>
  readsAreFresh(evidence, facts, { category, operations: changing })
