import { errorCodes } from './error-codes.ts'
import { wrapped } from './python-types.ts'

const head = `"""The codes of errors, made by \`npm run generate\` from the catalogue of Platen."""

from enum import StrEnum


class ErrorCode(StrEnum):
    """The codes that this version of the client knows. A server may send others."""
`

/** An enumeration in Python, whose members are equal to the texts that the API sends. */
export function pythonErrorCodes(): string {
  const members = Object.entries(errorCodes).map(([code, about]) => {
    const comment = wrapped(about, 94).map((line) => `    # ${line}\n`)
    return `\n${comment.join('')}    ${code} = "${code}"\n`
  })
  return `${head}${members.join('')}`
}
