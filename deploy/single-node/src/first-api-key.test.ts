import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiKeyId, hashApiKey, readApiKey, revokeApiKey, rotateApiKey } from '@platen/domain/api-key/api-keys.ts'
import { inFileSteps, Killed } from '@platen/test-support/file-steps.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t, { type Test } from 'tap'
import { firstApiKey } from './first-api-key.ts'
import { printWelcome } from './print-welcome.ts'

const shown = {
  url: 'http://127.0.0.1:3000',
  hasStudio: true,
  natsUrl: undefined,
  problem: undefined,
  noSandbox: undefined,
}

t.test('a crash at any step leaves one API key, which the next start has', async (t) => {
  let names: string[] = []
  for (let last = 0; ; last++) {
    await using node = await newNode(t)
    const wasKilled = await inFileSteps(() => node.issue(), last).then(
      (done) => {
        names = done.names
        return false
      },
      (err) => {
        if (!(err instanceof Killed || err.cause instanceof Killed)) throw err
        return true
      },
    )
    await node.hasOneKeyOf((await node.issue())?.key)
    if (!wasKilled) break
  }
  t.match(names.join('\n'), /rename .*first-api-key/, `the steps: ${names.join(', ')}`)

  for (const when of ['before', 'after'] as const) {
    await using node = await newNode(t)
    const { store } = node
    const killing = storeWith(store, {
      async append(...args) {
        if (when === 'after') await store.append(...args)
        throw new Killed(`${when} the append`)
      },
    })
    await t.rejects(firstApiKey(killing, node), Killed)
    const written = (await readFile(node.path, 'utf8')).trim()
    const found = await node.issue()
    t.equal(found?.key, written, `${when} the append: the key of the file`)
    await node.hasOneKeyOf(found?.key)
  }
})

t.test('elsewhere than on a terminal the file is named at each start, until it is deleted', async (t) => {
  await using node = await newNode(t)
  for (let start = 0; start < 2; start++) {
    const text = await node.print({ isTerminal: false })
    t.match(text, `\n    ${node.path}\n`)
    t.match(text, `export API_KEY=$(cat ${node.path})`)
    t.notMatch(text, 'pk_')
  }
  t.equal((await stat(node.path)).mode & 0o777, 0o600)
  await rm(node.path)
  t.notMatch(await node.print({ isTerminal: false }), 'first-api-key')
  t.same(await readdir(node.dataDir), [])
})

t.test('a terminal shows the key once, and the file is gone; one that was closed has shown nothing', async (t) => {
  await using node = await newNode(t)
  const lost = await node.print({ isTerminal: true, failure: new Error('EIO') })
  const [key = ''] = /pk_\w+/.exec(lost) ?? []
  await node.hasOneKeyOf(key)
  t.same(await readdir(node.dataDir), ['first-api-key'])
  const text = await node.print({ isTerminal: true })
  t.match(text, `Bearer ${key}`)
  t.notMatch(text, 'first-api-key')
  t.same(await readdir(node.dataDir), [])
  t.notMatch(await node.print({ isTerminal: true }), 'pk_')
})

t.test('a file with a key that is not accepted is not named as the key', async (t) => {
  for (const end of [rotateApiKey, revokeApiKey]) {
    await using node = await newNode(t)
    const issued = await node.issue()
    await end(node.store, apiKeyId(issued?.key ?? ''))
    t.equal(await node.issue(), undefined)
    t.match(node.warnings.join(), 'rotated or revoked')
  }
  await using other = await newNode(t)
  await using node = await newNode(t)
  await node.issue()
  await other.issue()
  await writeFile(node.path, await readFile(other.path))
  t.equal(await node.issue(), undefined, 'a key of another store')
})

t.test('where the file cannot be written no key is issued', async (t) => {
  await using node = await newNode(t)
  const nowhere = { ...node, dataDir: join(node.dataDir, 'missing') }
  await t.rejects(firstApiKey(node.store, nowhere), {
    message: /DATA_DIR: the first API key cannot be written.*none was/,
  })
  await writeFile(node.path, 'pk_cut', { mode: 0o644 })
  await chmod(node.path, 0o644)
  const { key } = (await node.issue()) ?? {}
  await node.hasOneKeyOf(key)
  t.equal(await readFile(node.path, 'utf8'), `${key}\n`, 'half a key was never issued')
  t.equal((await stat(node.path)).mode & 0o777, 0o600)
})

/** A store without keys, and an empty data folder. */
async function newNode(t: Test) {
  const temporary = await openTemporaryStore()
  const { store } = temporary
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-first-key-'))
  const warnings: string[] = []
  const log = { warn: (_: unknown, message: string) => void warnings.push(message) }
  const options = { dataDir, log: log as never }
  const issue = () => firstApiKey(store, options)
  return {
    ...options,
    store,
    warnings,
    path: join(dataDir, 'first-api-key'),
    issue,
    async print({ isTerminal, failure }: { isTerminal: boolean; failure?: Error }) {
      let text = ''
      const output = {
        write(part: string, written: (err?: Error) => void) {
          text += part
          written(failure)
        },
      }
      await printWelcome(shown, { firstKey: await issue(), output, isTerminal })
      return text
    },
    async hasOneKeyOf(key: string | undefined) {
      const issued: string[] = []
      for await (const { stream } of store.readLog({ after: 'start', categories: ['apikey'] })) issued.push(stream)
      t.equal(issued.length, 1, 'one key is issued')
      t.match(await readApiKey(store, apiKeyId(key ?? '')), { status: 'active', sha256: hashApiKey(key ?? '') })
    },
    async [Symbol.asyncDispose]() {
      await temporary[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
