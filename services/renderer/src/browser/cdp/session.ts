import type { CDPSession } from 'playwright-core'

/** One target's side of the DevTools protocol. Playwright's types, none of its code: every call goes straight through. */
export type Session = Pick<CDPSession, 'send' | 'on' | 'once' | 'off'>

/** The browser refused a command. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** The target or the browser has gone: its commands are answered no more. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed'
}

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}
