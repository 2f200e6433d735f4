import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { readMessages } from '../../services/renderer/src/chromium/browser/cdp/read-messages.ts'
import { standInPdf } from './stand-in-pdf.ts'

// The program in the place of Chromium, for bench/scale.ts. It speaks the part of the DevTools protocol that a renderer uses for
// documents without scripts, and answers each print after a fixed time with the same PDF. It draws nothing and loads nothing.
//
// Arguments: milliseconds of a print, bytes of its PDF. Those behind them, which are for Chromium, are ignored.

interface Command {
  id: number
  method: string
  params: { url?: string; browserContextId?: string; expression?: string }
  sessionId?: string
}

const [printMs = 0, pdfBytes = 0] = process.argv.slice(2, 4).map(Number)
const data = standInPdf(pdfBytes).toString('base64')
const input = new Socket({ fd: 3, readable: true, writable: false })
const output = new Socket({ fd: 4, readable: false, writable: true })
/** The URL of each page. */
const urls = new Map<string, string>()
let last = 0

const write = (message: object) => output.write(`${JSON.stringify(message)}\0`)
const tell = (method: string, params: object, sessionId?: string) => write({ method, params, sessionId })

function openPage({ url = '', browserContextId = '' }: Command['params']): { targetId: string } {
  const targetId = `T${++last}`
  const sessionId = `S${last}`
  urls.set(sessionId, url)
  tell('Target.attachedToTarget', { sessionId, targetInfo: { targetId, browserContextId } })
  return { targetId }
}

/** What a renderer asks an empty page: where it is. All other questions are about documents that this bench does not print. */
function evaluate({ expression = '' }: Command['params'], sessionId: string): { result: { value: unknown } } {
  if (!expression.includes('location.href')) throw new Error('the stand-in does not run scripts')
  return { result: { value: urls.get(sessionId) } }
}

function answerOf({ method, params, sessionId = '' }: Command): object | Promise<object> {
  switch (method) {
    case 'Browser.getVersion':
      return { product: 'StandIn/1.0' }
    case 'SystemInfo.getProcessInfo':
      return { processInfo: [{ type: 'browser', id: process.pid, cpuTime: 0 }] }
    case 'Target.createBrowserContext':
      return { browserContextId: `C${++last}` }
    case 'Target.createTarget':
      return openPage(params)
    case 'Page.getFrameTree':
      return { frameTree: { frame: { id: 'F1' } } }
    case 'Page.createIsolatedWorld':
      return { executionContextId: 1 }
    case 'Page.navigate':
      urls.set(sessionId, params.url ?? '')
      return {}
    case 'Runtime.evaluate':
      return evaluate(params, sessionId)
    case 'Page.printToPDF':
      return delay(printMs, { data })
    case 'Performance.getMetrics':
      return { metrics: [] }
    default:
      return {}
  }
}

const loads = ['Page.navigate', 'Page.setDocumentContent']

async function execute(command: Command): Promise<void> {
  const { id, method, sessionId } = command
  try {
    write({ id, result: await answerOf(command), sessionId })
  } catch (err) {
    write({ id, error: { message: err instanceof Error ? err.message : String(err) }, sessionId })
  }
  if (loads.includes(method)) tell('Page.loadEventFired', {}, sessionId)
  if (method === 'Browser.close') output.end(() => process.exit())
}

readMessages(input, {
  maxBytes: 2 ** 28,
  onMessage: (message) => void execute(JSON.parse(message.toString('utf8'))),
  onTooLong: () => process.exit(1),
})
input.on('close', () => process.exit())
