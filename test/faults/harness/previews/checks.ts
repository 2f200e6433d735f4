import { isAcknowledged } from '../client.ts'
import { noBrowser } from '../nemesis.ts'
import { isDisturbed } from '../recorded.ts'
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

/** The limit without a tolerance for the clock of the gateway. */
const patienceMs = 3_500

/** While no renderer has a browser, a preview is sent again for four seconds. */
export const previewsAreRepeated: Check = function* ({ answers, faults }) {
  const others = faults.filter(({ name }) => name !== noBrowser)
  for (const { operation, request, code, atMs, ms } of answers) {
    // Another 503 is that of a queue that is full.
    if (operation !== 'preview' || code !== 'SERVICE_UNAVAILABLE') continue
    if (isDisturbed({ sentMs: atMs, answeredMs: atMs + ms }, others)) continue
    yield verdict(ms >= patienceMs, () => `${request} was answered with 503 after ${ms} ms, and not tried again`)
  }
}
