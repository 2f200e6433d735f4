import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { launchService } from '../fleet.ts'
import { freePorts } from '../free-port.ts'
import { startNatsServer } from '../nats-server.ts'
import { type Arriving, arrivingBodies } from './arriving-bodies.ts'
import type { OpenApi } from './hostile-bodies.ts'

export const loopProbe = `--import=${pathToFileURL(join(import.meta.dirname, 'loop-probe.ts'))}`

/** A gateway in a process of its own, with both ports, without a renderer. It says how long bodies hold its event loop. */
export interface ProbedGateway extends AsyncDisposable {
  url: string
  /** The port for Gotenberg's clients, which need no key. */
  gotenbergUrl: string
  apiKey: string
  /** The longest turn of the event loop since the last call, in ms of processor time. */
  longestTurnMs(): Promise<number>
  /** Bodies of every route of both ports, at their limits, of 1 MiB and of 64 KiB. */
  bodies: readonly Arriving[]
  /** Sends a body `rounds` times, and at once again while it may be the first that is slow. The shortest of the longest turns counts. */
  measure(body: Arriving, rounds: number, enoughMs: number): Promise<Measured>
}

export interface Measured {
  status: number
  /** The longest turn of the event loop, in ms of processor time: it does not grow when other processes keep the machine busy. */
  ms: number
}

const apiKey = 'pk_0123456789abcdefghijklmnopqrstuvwxyz'

export async function startProbedGateway(): Promise<ProbedGateway> {
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'platen-probed-'))
  starting.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const nats = starting.use(await startNatsServer())
  const [port, probePort, gotenbergPort] = await freePorts(3)
  const settings = {
    NATS_URL: nats.url,
    EVENT_STORE_URL: `sqlite:${folder}/events.db`,
    OBJECT_STORE_URL: `file:${folder}/objects`,
    SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
  }
  const gateway = await launchService('gateway', {
    ...settings,
    PORT: `${port}`,
    API_KEY: apiKey,
    MAX_QUEUED: '1000000',
    // There is no renderer: what is accepted is answered then.
    SYNC_TIMEOUT_MS: '1000',
    DATA_DIR: join(folder, 'gateway'),
    PROBE_PORT: `${probePort}`,
    GOTENBERG_PORT: `${gotenbergPort}`,
    NODE_OPTIONS: loopProbe,
  })
  starting.defer(() => gateway.end())
  const template = await launchService('template', { ...settings, DATA_DIR: join(folder, 'template') })
  starting.defer(() => template.end())
  const urls = { api: `http://127.0.0.1:${port}`, gotenberg: `http://127.0.0.1:${gotenbergPort}` }
  const document = (await (await fetch(`${urls.api}/openapi.json`)).json()) as OpenApi

  /** Since the last call. */
  const longestTurnMs = async () => {
    const { turn } = (await (await fetch(`http://127.0.0.1:${probePort}/`)).json()) as { turn: number }
    return turn
  }
  const send = async ({ method, port, path, type, body }: Arriving) => {
    const { status } = await fetch(`${urls[port]}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': type },
      body: body(),
      signal: AbortSignal.timeout(60_000),
    })
    return status
  }
  const running = starting.move()
  return {
    url: urls.api,
    gotenbergUrl: urls.gotenberg,
    apiKey,
    longestTurnMs,
    bodies: [...arrivingBodies(document)],
    async measure(body, rounds, enoughMs) {
      let status = 0
      let ms = Number.POSITIVE_INFINITY
      // The first rounds compile, and some collect the garbage of others.
      for (let round = 0; round < rounds && ms > enoughMs; round++) {
        await longestTurnMs()
        status = await send(body).catch((cause) => {
          throw new Error(`${body.what}, ${body.bytes} bytes: ${cause.cause ?? cause}`, { cause })
        })
        ms = Math.min(ms, await longestTurnMs())
      }
      return { status, ms }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
