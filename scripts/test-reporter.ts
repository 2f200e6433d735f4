import { Transform, type TransformCallback } from 'node:stream'
import { Parser } from 'tap-parser'
import { summarize, summaryLines } from './test-summary.ts'

/** A reporter of tap: the TAP report as it is, and after it the failures and the slowest files, which a log of thousands of lines hides. */
// biome-ignore lint/style/noDefaultExport: tap loads a reporter by its default export.
export default class TestReporter extends Transform {
  private readonly parser = new Parser()
  private readonly summary = summarize(this.parser)

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.parser.write(chunk)
    done(null, chunk)
  }

  override _flush(done: TransformCallback): void {
    this.parser.end()
    done(null, `${summaryLines(this.summary).join('\n')}\n`)
  }
}
