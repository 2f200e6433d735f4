import { isAcknowledged } from '../client.ts'
import { type Check, verdict } from '../verdict.ts'

/** A test is sent once at most, with a valid signature, and records nothing. */
export const testsRecordNothing: Check = function* ({ writes }, { requests }) {
  for (const { operation, subject, status, request, body } of writes) {
    if (operation !== 'testWebhook') continue
    const recorded = request === undefined ? [] : (requests.get(request) ?? [])
    yield verdict(recorded.length === 0, () => `${subject} has recorded ${recorded.map(({ type }) => type)}`)
    if (!isAcknowledged(status)) continue
    const calls = Number(body?.calls)
    // An error is answered where the notifier was held up.
    const isRight =
      body?.verified === true && (body.status === 204 ? calls === 1 : body.status === undefined && calls <= 1)
    yield verdict(isRight, () => `${subject} was answered with ${JSON.stringify(body)}`)
  }
}
