import { partialLimits } from '@platen/domain/partial/partial.ts'
import { CreateTemplateBody } from '@platen/domain/template/template.ts'
import { DomainError } from '@platen/foundation/errors/errors.ts'
import { openSchemaChecker, sampleValues } from '@platen/templating/data-schema/schema-checker.ts'
import { type CallingSource, checkCalls } from '@platen/templating/handlebars/check-calls.ts'
import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { partialSource } from '@platen/templating/handlebars/template-problem.ts'
import { Compile } from 'typebox/compile'
import type { Content } from './library.ts'

const nobody = { owner: '', key: '' }
const sourceFields = ['html', 'header_html', 'footer_html'] as const
const body = Compile(CreateTemplateBody)
const { depth: maxDepth } = partialLimits

/**
 * Checks what a push would send as Platen would: fields, sources, the partials that they call, and sample data. Limits in bytes,
 * rules between options, assets, and whether helpers of one's own are allowed are left to Platen. Methods throw the refusal.
 */
export class PushTrial implements AsyncDisposable {
  readonly #engine = openTemplateEngine({ workers: 1, timeoutMs: 10_000, ownHelpers: true })
  readonly #schemas = openSchemaChecker()
  /** The partials as they will be after the push, by name. */
  #partials: ReadonlyMap<string, string> = new Map()

  /** The stored partials and those of the folder. To be called first. */
  expect(partials: ReadonlyMap<string, string>): void {
    this.#partials = partials
  }

  partial(name: string, html: string): Promise<void> {
    return refusing(async () => this.#checkCalls([await this.#source(partialSource(name), html)], name))
  }

  async template(content: Content): Promise<void> {
    const [problem] = body.Errors(content)
    if (problem) {
      const field = problem.instancePath.slice(1).replaceAll('/', '.') || 'the template'
      throw new Error(`${field} ${problem.message} (VALIDATION_ERROR)`)
    }
    await refusing(async () => {
      const sources: CallingSource[] = []
      for (const name of sourceFields) sources.push(await this.#source(name, content[name] ?? '', content.helpers))
      await this.#checkCalls(sources)
      const { data_schema, sample_data, samples } = content
      if (data_schema)
        await this.#schemas.check(nobody, data_schema as never, sampleValues(sample_data as never, samples as never))
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close()
    await this.#schemas[Symbol.asyncDispose]()
  }

  /** `helpers`: the script of the template's own helpers, which partials do not have. */
  async #source(name: string, html: string, helpers?: string): Promise<CallingSource> {
    return { name, html, partials: await this.#engine.check(html, { name, helpers }) }
  }

  async #checkCalls(sources: readonly CallingSource[], saved?: string): Promise<void> {
    const found = new Map<string, CallingSource>()
    for (let next = sources; next.length > 0; ) {
      const names = new Set(next.flatMap(({ partials }) => partials.calls.map(({ name }) => name)))
      const called: CallingSource[] = []
      for (const name of names) {
        const html = this.#partials.get(name)
        if (html === undefined || found.has(name)) continue
        const source = await this.#source(partialSource(name), html)
        found.set(name, source)
        called.push(source)
      }
      next = called
    }
    checkCalls(sources, found, { saved, maxDepth })
  }
}

/** Rethrows a DomainError with its code in the message, in the form in which refusals of the server are printed. */
async function refusing(check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (err) {
    if (!(err instanceof DomainError)) throw err
    throw new Error(`${err.message} (${err.code})`, { cause: err })
  }
}
