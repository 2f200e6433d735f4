import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { runCli } from '../../cli/src/testing/run-cli.ts'
import { startPlaten } from '../support/platen.ts'
import { differences, readAnswers } from './answers.ts'
import { readRecordedAnswers, recordedReleases, restoreData } from './recorded-release.ts'

t.setTimeout(600_000)

t.test('data of a release were recorded', async (t) => {
  t.not(recordedReleases().length, 0, 'npm run release -- --record')
})

for (const release of recordedReleases()) {
  t.test(`the data of ${release.version} are read: the API says the same of them, and files are served`, async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'platen-upgrade-'))
    await restoreData(release, dataDir)
    await using platen = await startPlaten({ DATA_DIR: dataDir, API_KEY: release.apiKey })
    t.notMatch(platen.output(), 'cannot be read')
    const recorded = await readRecordedAnswers(release)
    const now = await readAnswers({ name: 'platen', json: platen.json, request: platen.request })
    t.ok(Object.keys(recorded).length > 50, 'much was recorded')
    t.same(
      Object.entries(recorded).flatMap(([path, answer]) => differences(answer, now[path], path)),
      [],
    )
    const completed = Object.entries(recorded).filter(
      ([path, answer]) => /^\/v1\/generations\/[^/]+$/.test(path) && isCompleted(answer),
    )
    t.not(completed.length, 0)
    for (const [path, answer] of completed) {
      const response = await platen.request(`${path}/file`)
      const { size } = answer as { size: number }
      t.same([response.status, (await response.arrayBuffer()).byteLength], [200, size], path)
    }
    const [template] = (recorded['/v1/templates'] as { data: { id: string }[] }).data
    const { status } = await platen.request('/v1/generate', { body: { template: template?.id, data: {} } })
    t.equal(status, 200, 'a document of a template of then')
    t.equal(await platen.stop(), 0)
    t.match(await runCli({ DATA_DIR: dataDir }, ['views', 'check']), { code: 0 })
  })
}

const isCompleted = (answer: Json) =>
  typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'completed'
