import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { invoice } from '../documents/documents.ts'
import { median } from '../machine/statistics.ts'
import { expectAnswer, type RunningPlaten } from '../strategies/running-platen.ts'

export interface HandlebarsShare {
  /** Filling the invoice's compiled template in the worker, including the messages to it and back. */
  engineMs: number
  /** One synchronous request with template and data, and one with the same document as HTML. */
  byTemplateMs: number
  readyMadeMs: number
  /** The part of `engineMs` in `byTemplateMs`. */
  share: number
}

/** Measures the part of a request that filling the template takes. The two kinds of request alternate. */
export async function handlebarsShare({ client }: RunningPlaten, samples: number): Promise<HandlebarsShare> {
  const { html, template } = await invoice()
  const created = await client.post('/v1/templates', { name: 'Bench invoice', html: template.source })
  const { id } = expectAnswer(created, 201)
  const times = { engine: [] as number[], byTemplate: [] as number[], readyMade: [] as number[] }
  const time = async (into: number[], work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    into.push(performance.now() - startedAt)
  }
  const generate = async (body: unknown) => expectAnswer(await client.post('/v1/generate', body), 200)
  await using engine = openTemplateEngine({ workers: 1 })
  const job = { sources: { html: template.source }, data: template.data }
  await engine.render(job)
  for (let sample = 0; sample < samples; sample++) {
    await time(times.engine, () => engine.render(job))
    await time(times.byTemplate, () => generate({ template: id, data: template.data }))
    await time(times.readyMade, () => generate({ html }))
  }
  const engineMs = median(times.engine)
  const byTemplateMs = median(times.byTemplate)
  return { engineMs, byTemplateMs, readyMadeMs: median(times.readyMade), share: engineMs / byTemplateMs }
}
