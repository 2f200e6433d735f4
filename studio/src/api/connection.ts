import { signal } from '@preact/signals'

/** `lost`: the last request had no response. */
export const connection = signal<'connected' | 'lost'>('connected')

/** Counts how often the connection has come back. What shows data of the server loads it again. */
export const recoveries = signal(0)

const [firstRetryMs, longestRetryMs] = [500, 8_000]
let isTrying = false

/** To be called when a request had no response. Asks the server until it responds. */
export function connectionLost(): void {
  connection.value = 'lost'
  if (!isTrying) void tryAgain()
}

/** To be called when it is not known whether the server can be reached. */
export async function checkConnection(): Promise<void> {
  if (!(await isReached())) connectionLost()
}

addEventListener('offline', () => void checkConnection())

async function tryAgain(): Promise<void> {
  isTrying = true
  for (let delayMs = firstRetryMs; !(await isReached()); delayMs = Math.min(2 * delayMs, longestRetryMs)) {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, delayMs)), backOnline()])
  }
  isTrying = false
  connection.value = 'connected'
  recoveries.value++
}

async function isReached(): Promise<boolean> {
  try {
    return (await fetch('/livez', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

const backOnline = () => new Promise((resolve) => addEventListener('online', resolve, { once: true }))
