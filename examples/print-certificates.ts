import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Platen } from '@platen/client'
import type { JsonObject } from '@platen/foundation/json/json.ts'

export interface CertificateRun {
  /** A CSV file with the columns `number` and `name`. */
  people: string | URL
  /** The data of all certificates. */
  data: JsonObject
  /** The folder of the files. */
  out: string
  /** How many certificates are requested at once. */
  atOnce: number
  onPrinted(done: number, all: number): void
}

/**
 * Prints a certificate for each person. The Idempotency-Key of a certificate has its number: a run that is broken off and repeated gets
 * those that were printed before, and prints the others.
 */
export async function printCertificates(platen: Platen, run: CertificateRun): Promise<number> {
  const people = readPeople(await readFile(run.people, 'utf8'))
  const waiting = [...people]
  let done = 0
  const work = async () => {
    for (let person = waiting.shift(); person !== undefined; person = waiting.shift()) {
      const { number, name } = person
      const data = { ...run.data, recipient: name, number: `1884-2026-${number}` }
      const file_name = `certificate-${number}`
      const request = { template: 'certificate', data, file_name, metadata: { run: 'class-of-2026' } }
      const generation = await platen.generate(request, { idempotencyKey: `class-of-2026-${number}` })
      await platen.saveFile(generation.url, join(run.out, `${file_name}.pdf`))
      run.onPrinted(++done, people.length)
    }
  }
  await Promise.all(Array.from({ length: run.atOnce }, work))
  return people.length
}

function readPeople(csv: string): { number: string; name: string }[] {
  const [header, ...lines] = csv.trim().split(/\r?\n/)
  if (header !== 'number,name') throw new Error(`The first line must be number,name, not ${header}`)
  return lines.map((line) => {
    const comma = line.indexOf(',')
    return { number: line.slice(0, comma), name: line.slice(comma + 1) }
  })
}
