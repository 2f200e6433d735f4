import type { CDPSession } from 'playwright-core'
import type { KnownJson } from './known-json.ts'

interface ContentParameters {
  frameId: string
  html: string
}

/** The DevTools session of one target. Only the types are Playwright's. */
export interface Session extends Pick<CDPSession, 'send' | 'on' | 'once' | 'off'> {
  /** Sends a command with a long text whose JSON may be known already. */
  sendLong(method: 'Page.setDocumentContent', params: ContentParameters, known: KnownJson | undefined): Promise<unknown>
  /** The number of events so far, including those without a listener. */
  received: number
}

/** The browser rejected a command. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** The target or the browser has exited before it answered the command. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'

  constructor(method: string) {
    super(`${method}: the target or the browser has exited`)
  }
}

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}
