import { STATUS_CODES } from 'node:http'
import type { Warning } from '@platen/foundation/errors/warning.ts'
import { type ErrorCode, errorCatalogue } from '../http/error-catalogue.ts'
import type { Failure } from '../http/failure.ts'
import type { RefusedFor } from './document-source.ts'

// What clients of Gotenberg are told of a generation that failed: the gateway in its answer, the notifier by webhook.

/** The status and text of an answer. */
export interface GotenbergAnswer {
  status: number
  message: string
}

/** The values of the request that messages quote. */
export interface Quoted {
  pageRanges?: string
  expression?: string
  waitSelector?: string
  selector?: string
}

/** The answer to an error of the API. */
export function gotenbergAnswer({ code, message }: { code: ErrorCode; message: string }): GotenbergAnswer {
  const { status } = errorCatalogue[code]
  switch (code) {
    case 'UNAUTHORIZED':
    case 'FORBIDDEN':
    case 'INTERNAL_ERROR':
      return { status, message: STATUS_CODES[status] ?? message }
    case 'PAYLOAD_TOO_LARGE':
      return { status, message: 'The request body exceeds the size limit: send a smaller request.' }
    case 'UNSUPPORTED_MEDIA_TYPE':
      return { status, message: "Invalid 'Content-Type' header value: want 'multipart/form-data'" }
    case 'WEBHOOK_URL_FORBIDDEN':
      return { status: 403, message: 'Forbidden' }
    case 'WAIT_TIMEOUT':
    case 'RENDER_TIMEOUT':
      return { status: 503, message: `The request exceeded the time limit. ${message}` }
    case 'QUEUE_FULL':
      return { status: 429, message }
    default:
      // 422 of Platen: the document is at fault.
      return { status: status === 422 ? 400 : status, message }
  }
}

/** The answer for a generation that failed. */
export function gotenbergFailure(failure: Failure, quoted: Quoted): GotenbergAnswer {
  const { refused, warnings = [] } = detailsOf(failure)
  switch (refused) {
    case 'exceptions':
      return { status: 409, message: `Chromium console exceptions:\n${warnings.map(exceptionText).join('\n')}` }
    case 'unloaded':
      return { status: 409, message: `Chromium failed to load resources: ${warnings.map(resourceText).join('\n')}` }
    case 'statuses':
      return {
        status: 409,
        message: `Invalid HTTP status code from resources:\n${warnings.map(statusText).join('\n')}`,
      }
    case 'page_status': {
      const { url, status, status_text } = failure.details as { url: string; status: number; status_text: string }
      return { status: 409, message: `Invalid HTTP status code from the main page: ${url} - ${status}: ${status_text}` }
    }
    case 'page_forbidden':
      return { status: 403, message: 'Forbidden' }
    case 'page_unreachable':
      return { status: 400, message: `Chromium returned net::ERR_CONNECTION_REFUSED: ${failure.message}` }
    case 'expression':
      return {
        status: 400,
        message: `The expression '${quoted.expression}' (waitForExpression) returned an exception or undefined`,
      }
    case 'screenshot_selector':
      return {
        status: 400,
        message: `The selector '${quoted.selector}' (selector) matched no element with a visible box`,
      }
    default:
      return answerOfMessage(failure, quoted)
  }
}

function answerOfMessage(
  { code, message }: Failure,
  { pageRanges, waitSelector, expression }: Quoted,
): GotenbergAnswer {
  if (code === 'RENDER_FAILED' && pageRanges !== undefined && message.includes('page_ranges asks for')) {
    return { status: 400, message: `The page ranges '${pageRanges}' (nativePageRanges) exceeds the page count` }
  }
  if (code === 'RENDER_FAILED' && waitSelector !== undefined && message.includes('wait_for.selector')) {
    return {
      status: 400,
      message: `The selector '${waitSelector}' (waitForSelector) returned an exception or undefined`,
    }
  }
  if (code === 'RENDER_FAILED' && expression !== undefined && message.includes('wait_for.expression')) {
    return {
      status: 400,
      message: `The expression '${expression}' (waitForExpression) returned an exception or undefined`,
    }
  }
  return gotenbergAnswer({ code, message })
}

function detailsOf({ details }: Failure): { refused?: RefusedFor; warnings?: Warning[] } {
  return typeof details === 'object' && details !== null ? details : {}
}

/** `Uncaught Error: text (line 3)` without the place. */
const exceptionText = ({ message }: Warning) => message.replace(/^Uncaught (\(in promise\) )?/, '')

const kinds: Record<string, string> = {
  '<link>': 'Stylesheet',
  '@import': 'Stylesheet',
  '<img>': 'Image',
  'url()': 'Image',
  '<script>': 'Script',
  '@font-face': 'Font',
  '<iframe>': 'Document',
  fetch: 'Fetch',
  import: 'Script',
}

/** What Chromium calls it, from the reason in plain words. */
const netErrors: [reason: RegExp, error: string][] = [
  [/no file of this name|not found/, 'net::ERR_FILE_NOT_FOUND'],
  [/cannot be reached/, 'net::ERR_CONNECTION_REFUSED'],
  [/timed out/, 'net::ERR_TIMED_OUT'],
  [/cannot be found/, 'net::ERR_NAME_NOT_RESOLVED'],
  [/certificate/, 'net::ERR_CERT_INVALID'],
  [/refused|blocked/, 'net::ERR_BLOCKED_BY_CLIENT'],
]

function resourceText({ message, element = '' }: Warning): string {
  const reason = message.slice(message.lastIndexOf(': ') + 2)
  const error = netErrors.find(([pattern]) => pattern.test(reason))?.[1] ?? 'net::ERR_FAILED'
  return `resource ${kinds[element] ?? 'Other'}: ${error}`
}

function statusText({ message }: Warning): string {
  const at = message.lastIndexOf(': ')
  const status = Number(/\d{3}/.exec(message.slice(at))?.[0] ?? 0)
  return `${message.slice(0, at)} - ${status}: ${STATUS_CODES[status] ?? ''}`
}
