import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into a measured process (`NODE_OPTIONS=--import=<this file>`). Answers, on the port PROBE_PORT, the longest turn of the
// event loop since the last answer, in milliseconds of processor time. Unlike its longest delay, which is answered, too, this
// does not grow when other processes keep the machine busy. It includes garbage collection on the same thread.

let longest = 0
let last = process.threadCpuUsage()

/** Runs once in each turn of the event loop, which it keeps running. */
function turn(): void {
  const used = process.threadCpuUsage(last)
  longest = Math.max(longest, used.user + used.system)
  last = process.threadCpuUsage()
  setImmediate(turn)
}

if (isMainThread && process.env.PROBE_PORT) {
  turn()
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const answer = createServer((_request, response) => {
    response.end(JSON.stringify({ turn: longest / 1_000, delay: delays.max / 1e6 }))
    longest = 0
    delays.reset()
  })
  answer.listen(Number(process.env.PROBE_PORT), '127.0.0.1')
}
