/** Why the proxy does not fetch something: an HTTP status for the browser and a line for the log. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
