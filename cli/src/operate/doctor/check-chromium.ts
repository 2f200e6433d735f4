import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Environment } from '@platen/foundation/settings/config.ts'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import type { Check } from './finding.ts'

const run = promisify(execFile)
const families = ['Liberation Sans', 'Noto Sans', 'Noto Sans CJK SC', 'Noto Color Emoji']
const packages = 'fontconfig fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji'
const timeout = 20_000

export const chromiumChecks: Check[] = [
  {
    name: 'chromium',
    remedy: 'install chromium-headless-shell, or set CHROMIUM_PATH (only renderers need it)',
    check: async ({ env }) => ({ found: await chromiumVersion(env) }),
  },
  {
    name: 'sandbox',
    remedy:
      'allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1), see docs/operate/container-security.md',
    async check({ env }) {
      if (process.getuid?.() === 0) {
        return { state: 'note', found: 'off, because this is root', remedy: 'run Platen as a user of its own' }
      }
      if (env.CHROMIUM_SANDBOX === 'false') {
        return { state: 'note', found: 'off (CHROMIUM_SANDBOX=false)', remedy: 'remove the setting if you can' }
      }
      const allowed = await readFile('/proc/sys/kernel/unprivileged_userns_clone', 'utf8').catch(() => '1')
      if (allowed.trim() === '0') throw new Error('unprivileged user namespaces are off')
      return { found: 'user namespaces are allowed' }
    },
  },
  {
    name: 'fonts',
    remedy: `install ${packages} (Debian), or fonts of your own`,
    async check({ env }) {
      const added = await fontsOf(env.FONTS_DIR)
      const { stdout } = await run('fc-list', ['--format', '%{family}\n'], { timeout, maxBuffer: 16 * 2 ** 20 })
      const known = new Set(stdout.split(/[\n,]/).map((name) => name.trim()))
      const missing = families.filter((family) => !known.has(family))
      if (known.size <= 1) throw new Error('no fonts')
      if (missing.length === 0) return { found: `${known.size} families, all that Platen's examples use${added}` }
      return { state: 'note', found: `missing: ${missing.join(', ')}${added}`, remedy: `install ${packages} (Debian)` }
    },
  },
]

/** The version of the program that a renderer would use. */
async function chromiumVersion({ CHROMIUM_PATH, PATH = '' }: Environment): Promise<string> {
  const program = findChromium(CHROMIUM_PATH || undefined, PATH)
  try {
    const { stdout } = await run(program, ['--version'], { timeout, env: { PATH } })
    return `${stdout.trim()} (${program})`
  } catch (err) {
    throw new Error(`${program}: ${(err as Error).message.split('\n')[0]}`)
  }
}

/** The fonts that the folder adds to those of the machine; empty without a folder. Throws if the folder has none. */
async function fontsOf(folder: string | undefined): Promise<string> {
  if (!folder) return ''
  if (!existsSync(folder)) throw new Error(`FONTS_DIR: there is no folder ${folder}`)
  const { stdout } = await run('fc-scan', ['--format', '%{family[0]}\n', folder], { timeout, maxBuffer: 16 * 2 ** 20 })
  const added = [...new Set(stdout.split('\n').filter((family) => family !== ''))].sort()
  if (added.length === 0) throw new Error(`FONTS_DIR: there are no fonts in ${folder}`)
  return `; FONTS_DIR adds ${added.join(', ')}`
}
