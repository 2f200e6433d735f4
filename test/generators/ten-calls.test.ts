import { startPlaten } from '@platen/test-support/platen.ts'
import t from 'tap'
import { generators } from './generators.ts'
import { hasFailed, tryGenerator } from './try-generator.ts'
import { openWorkplace } from './workplace.ts'

// What `npm run test:generators` does, with the generators that this machine has the language for. openapi-typescript is a package of the
// repository and is always tried; others come from the registry of their language, and are skipped where it does not give them.
t.setTimeout(3_600_000)
const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())
const place = await openWorkplace(platen)
t.teardown(() => place[Symbol.asyncDispose]())

for (const generator of generators) {
  await t.test(`${generator.name} makes a client that compiles and makes ten calls`, async (t) => {
    const result = await tryGenerator(generator, place)
    const { skipped, notInstalled, generate, compile, calls, output } = result
    if (skipped !== undefined) t.pass('skipped', { skip: skipped })
    else if (notInstalled && generator.needs.length > 0) {
      const [reason = ''] = output?.trim().split('\n').slice(-1) ?? []
      t.pass('skipped', { skip: `not installed: ${reason.slice(0, 200)}` })
    } else if (hasFailed(result)) t.fail('failed', { generate, compile, calls, output: output?.slice(-3_000) })
    else t.pass(calls ?? '')
  })
}
