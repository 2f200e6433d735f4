import { errorCatalogue } from '@platen/domain/http/error-catalogue.ts'

/** Codes of the clients themselves, beside those of the API. */
const ownCodes = {
  NETWORK_ERROR: 'The server was not reached, the connection broke, or the response is not HTTP.',
  TIMEOUT: 'The call took longer than its time limit.',
  GENERATION_CANCELLED: 'The generation was cancelled before it was printed.',
  UNEXPECTED_RESPONSE: 'The response is not one of Platen, for example the page of a proxy.',
}

/** The codes of errors that a caller may meet, each with what it means. */
export const errorCodes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(errorCatalogue).map(([code, { description }]) => [code, description])),
  ...ownCodes,
}
