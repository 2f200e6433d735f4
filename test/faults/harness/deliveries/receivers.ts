import { Webhook } from 'standardwebhooks'
import { type Received, type Receiver, startReceiver } from '../../../support/notifier/receiver.ts'
import { type Seeded, seeded } from '../seeded.ts'

export interface Receivers {
  receiver: Receiver
  /** Calls with a valid signature and a timestamp of now, by a library that is not ours. */
  verified: ReadonlySet<Received>
  /** Called once, when the next webhook has arrived and is not answered yet. */
  onNextCall(act: () => void): void
}

/** The first call of such a path is answered late, with a response that ends the delivery, while it is redelivered. */
export const lateOnce = '/late/'
const lateMs = 700
/** The second and third call of such a path fail: what was redelivered stays pending for seconds. */
export const failsAgain = '/fails-again/'

/** The paths of webhooks that are tests. */
export const tested = '/tested/'

type Response = Parameters<Parameters<typeof startReceiver>[0] & object>[0]

export async function startReceivers(secret: string, seed: number): Promise<Receivers> {
  const webhook = new Webhook(secret)
  const verified = new Set<Received>()
  let onCall: (() => void) | undefined
  const receiver = await startReceiver((response, nth, call) => {
    if (isVerified(webhook, call)) verified.add(call)
    const act = onCall
    onCall = undefined
    act?.()
    if (call.path.startsWith(tested)) response.writeHead(204).end()
    else if (call.path.startsWith(lateOnce)) answerLate(seeded(seed).fork(call.path), response, nth)
    else if (call.path.startsWith(failsAgain)) response.writeHead(nth === 2 || nth === 3 ? 500 : 204).end()
    else answer(seeded(seed).fork(call.path), response, nth)
  })
  return {
    receiver,
    verified,
    onNextCall(act) {
      onCall = act
    },
  }
}

function isVerified(webhook: Webhook, { body, headers }: Received): boolean {
  try {
    webhook.verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

function answerLate(random: Seeded, response: Response, nth: number) {
  const status = nth > 1 ? 204 : random.pick([410, 204, 500])
  setTimeout(() => response.writeHead(status).end(), nth > 1 ? 0 : lateMs)
}

/** Some receivers fail at first. Each works from its third call on. */
function answer(random: Seeded, response: Response, nth: number) {
  const misbehaviour = random.fraction()
  if (nth > 2 || misbehaviour > 0.3) return response.writeHead(204).end()
  if (misbehaviour < 0.05) return response.socket?.resetAndDestroy()
  if (misbehaviour < 0.1) return response.writeHead(500).end('broken')
  if (misbehaviour < 0.15) return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  if (misbehaviour < 0.2) return response.writeHead(429, { 'retry-after': '1' }).end()
  if (misbehaviour < 0.25) {
    // Endless: the body is not read to its end.
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'.repeat(1_000)), 100)
    return response.once('close', () => clearInterval(timer))
  }
  // No answer, until the notifier gives up.
  return
}
