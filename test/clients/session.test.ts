import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { allDrivers } from '../support/clients/all-drivers.ts'
import { readSession } from '../support/clients/behaviour.ts'
import { differences } from '../support/clients/compare.ts'
import type { Driver } from '../support/clients/driver.ts'
import { startPlaten, testApiKey } from '../support/platen.ts'

const server = await startPlaten()
t.teardown(() => server[Symbol.asyncDispose]())

for (const each of allDrivers()) {
  const { language } = each
  if ('missing' in each) t.pass(`${language}: a session`, { skip: each.missing })
  else
    await t.test(`${language}: a session with a running Platen`, async (t) => {
      await using driver = each.start()
      await runSession(t, driver, language)
    })
}

/** Each step may use the results of those before it. */
async function runSession(t: Test, driver: Driver, language: string) {
  const results: Record<string, unknown> = { language }
  const folder = join(t.testdir(), 'files')
  mkdirSync(folder)
  for (const { title, call, input, as, expect } of readSession()) {
    const written = filledIn({ input, expect }, results)
    const order = { call, input: written.input, url: server.url, key: testApiKey, folder }
    const outcome = await driver.run(order)
    const actual = outcome.error ?? outcome.result
    t.strictSame(differences(written.expect.error ?? written.expect.result, actual), [], title)
    if (as !== undefined) results[as] = outcome.result
  }
}

/** Replaces `${name.field}` by the value of `name.field`. */
function filledIn<Value>(value: Value, results: Record<string, unknown>): Value {
  const fill = (_: string, path: string) => {
    const found = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], results)
    return JSON.stringify(found ?? 'missing').slice(1, -1)
  }
  return JSON.parse(JSON.stringify(value).replaceAll(/\$\{([\w.]+)\}/g, fill))
}
