import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// Asks for a URL again and again until it is told to stop, and says how long each answer took, in ms: Infinity without one. The bench
// itself makes bodies of megabytes meanwhile.

const everyMs = 20
const { url } = workerData as { url: string }
const took: number[] = []
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})
while (!isOver) {
  const since = performance.now()
  const isAnswered = await fetch(url).then(
    (answer) => answer.text().then(() => true),
    () => false,
  )
  took.push(isAnswered ? performance.now() - since : Number.POSITIVE_INFINITY)
  await delay(everyMs)
}
parentPort?.postMessage(took)
