import { once } from 'node:events'
import { mkdir, open, rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { startFlushedNatsServer } from '../../machine/flushed-nats.ts'
import { openCommands } from './commands.ts'
import { openEventLog } from './event-log.ts'
import { openPrinter } from './printer.ts'

// The floor: a service that keeps Platen's guarantees for a synchronous request with HTML without scripts, and nothing
// else.
//
// It keeps:
// - A request is a command on disk (JetStream, flushed before the PubAck) before it is answered. If the process is killed, the
//   command is delivered again.
// - When the client has the answer, the PDF (file, its name) and the three events of the generation (SQLite, one transaction for
//   all that wait) are on disk.
// - The three events are published to a stream, flushed. The command is acknowledged only after that, so that a crash loses no
//   event for subscribers.
// - No script of a document runs, and a page prints one document at a time.
//
// It leaves out owners, API keys, validation, idempotency, isolation between owners, resets of pages, the egress proxy,
// limits, replacement of browsers, warnings, templates, options, asynchronous requests, webhooks, views, rate limits,
// fairness, metrics, traces, logs, retries and a graceful stop.
//
// Arguments: Chromium, the number of pages, the folder for its data. It prints its URL, and ends when its standard input does.

const [chromiumPath = '', pages = '1', folder = ''] = process.argv.slice(2)
await using resources = new AsyncDisposableStack()
const nats = resources.use(await startFlushedNatsServer())
const printer = resources.use(await openPrinter(chromiumPath, Number(pages)))
const log = resources.use(await openEventLog(folder))
const pdfs = await openPdfFolder(folder)

/** The clients that wait, by the id of their command. */
const waiting = new Map<string, PromiseWithResolvers<number>>()

const commands = resources.use(
  await openCommands(nats.url, {
    // One more for each page, so that it need not wait for the next command.
    atOnce: 2 * Number(pages),
    async execute(id, html) {
      const pdf = await printer.print(html)
      const file = await pdfs.write(id, pdf)
      const events = await log.append(id, [
        { type: 'Requested', data: { id, html_bytes: html.length } },
        { type: 'Started', data: { id } },
        { type: 'Completed', data: { id, file, size: pdf.byteLength } },
      ])
      waiting.get(id)?.resolve(pdf.byteLength)
      await commands.publish(events)
    },
  }),
)

const server = createServer(async (request, answer) => {
  const id = crypto.randomUUID()
  const outcome = Promise.withResolvers<number>()
  waiting.set(id, outcome)
  try {
    const { html } = (await json(request)) as { html: string }
    const [size] = await Promise.all([outcome.promise, commands.send(id, html)])
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ size }))
  } catch (err) {
    answer.writeHead(500).end(String(err))
  } finally {
    waiting.delete(id)
  }
})
// Between its turns a client is idle for longer than the default of 5 s.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
await once(process.stdin.resume(), 'end')
server.close()
server.closeAllConnections()

interface PdfFolder {
  /** Resolves with the path when content and name are on disk. A reader sees the whole file or none. */
  write(id: string, pdf: Buffer): Promise<string>
}

async function openPdfFolder(parent: string): Promise<PdfFolder> {
  const folder = join(parent, 'pdfs')
  await mkdir(folder)
  const handle = await open(folder)
  return {
    async write(id, pdf) {
      const path = join(folder, `${id}.pdf`)
      const file = await open(`${path}.tmp`, 'wx')
      await file.writeFile(pdf)
      await file.sync()
      await file.close()
      await rename(`${path}.tmp`, path)
      await handle.sync()
      return path
    },
  }
}
