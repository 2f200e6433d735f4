import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findGoTool } from '../../scripts/go-tools.ts'
import { root } from './code-blocks.ts'

const folder = join(root, '.github/workflows')
const actionlint = findGoTool('actionlint')

for (const name of readdirSync(folder))
  t.test(`${name}: actionlint`, { skip: actionlint instanceof Error && actionlint.message }, async (t) => {
    const { status, stdout } = spawnSync(String(actionlint), [join(folder, name)], { encoding: 'utf8' })
    t.equal(status, 0, stdout)
  })
