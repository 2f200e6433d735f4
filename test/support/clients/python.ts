import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Driver, driverProcess } from './driver.ts'

const root = join(import.meta.dirname, '../../..')
export const pythonFolder = join(root, 'clients/python')
const packages = ['httpx>=0.27,<1', 'mypy==2.4.1']

/** A Python in which the packages of the client are installed, or why there is none. */
export function findPython(): { python: string } | { missing: string } {
  const host = process.env.PYTHON ?? 'python3'
  const quietly = { stdio: 'pipe', timeout: 120_000 } as const
  try {
    execFileSync(host, ['-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)'], quietly)
  } catch {
    return { missing: 'Python 3.11 or newer with venv is needed' }
  }
  const hash = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12)
  const folder = join(root, 'node_modules/.cache', `python-${hash}`)
  const python = join(folder, 'bin/python')
  if (existsSync(python)) return { python }
  // Under a name of its own until it is whole, as other test files may make one at this moment.
  const own = `${folder}.${process.pid}`
  try {
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
    execFileSync(host, ['-m', 'venv', own], quietly)
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]
    execFileSync(join(own, 'bin/python'), install, quietly)
    if (!existsSync(folder)) renameSync(own, folder)
    return { python }
  } catch {
    return existsSync(python) ? { python } : { missing: `pip could not install ${packages.join(' and ')}` }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** The environment in which Python finds the sources of the client. */
export const pythonEnv = { ...process.env, PYTHONPATH: join(pythonFolder, 'src'), PYTHONDONTWRITEBYTECODE: '1' }

export function pythonDriver(python: string, kind: 'sync' | 'async'): Driver {
  const language = kind === 'sync' ? 'Python' : 'Python with asyncio'
  return driverProcess(language, python, [join(pythonFolder, 'tests/driver.py'), kind], { env: pythonEnv })
}
