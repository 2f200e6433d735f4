/** An answer of the port that is not a success: its status and its text, as Gotenberg's clients know them. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.status = status
  }
}

export function refuse(status: number, message: string): never {
  throw new Refused(status, message)
}
