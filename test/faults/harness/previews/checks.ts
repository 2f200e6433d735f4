import { isAcknowledged } from '../client.ts'
import { type Check, verdict } from '../verdict.ts'

/** A preview is a PDF of one page, and records nothing. */
export const previewsRecordNothing: Check = function* ({ writes }, { requests }) {
  for (const { operation, subject, status, request, body } of writes) {
    if (operation !== 'preview') continue
    const recorded = request === undefined ? [] : (requests.get(request) ?? [])
    yield verdict(recorded.length === 0, () => `${subject} has recorded ${recorded.map(({ type }) => type)}`)
    if (!isAcknowledged(status)) continue
    const whole = body?.begins === '%PDF-' && body.pages === 1 && body.size === body.bytes
    yield verdict(whole, () => `${subject} was answered with ${JSON.stringify(body)}`)
  }
}
