/** An error response of the S3 protocol. */
export class S3Refusal extends Error {
  override readonly name = 'S3Refusal'
  readonly status: number
  readonly code: string
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, code: string, fields: Readonly<Record<string, string>> = {}) {
    super(code)
    this.status = status
    this.code = code
    this.fields = fields
  }

  toXml(): string {
    const entries = Object.entries({
      Code: this.code,
      Message: `The request was refused: ${this.code}`,
      ...this.fields,
    })
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${entries.map(([tag, text]) => `<${tag}>${text}</${tag}>`).join('')}</Error>`
  }
}
