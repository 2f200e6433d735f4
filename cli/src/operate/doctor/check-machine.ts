import { constants, existsSync } from 'node:fs'
import { access, open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { readDataDir } from '../../frame/command.ts'
import type { Check } from './finding.ts'

const leastFreeMb = 512
const slowFlushMs = 50
const flushes = 5
const ofOthers = 0o007

export const machineChecks: Check[] = [
  {
    name: 'node',
    remedy: 'install Node.js 24.12 or newer',
    async check() {
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
      if (major < 24 || (major === 24 && minor < 12)) throw new Error(`version ${process.versions.node}`)
      return { found: process.versions.node }
    },
  },
  {
    name: 'data folder',
    remedy: 'set DATA_DIR to the folder of your Platen; its user must be able to write there',
    async check({ env }) {
      const dataDir = readConfig(env, readDataDir)
      if (!existsSync(dataDir)) {
        if (env.EVENT_STORE_URL && env.OBJECT_STORE_URL)
          return { state: 'note', found: `${dataDir} does not exist (not needed here)` }
        throw new Error(`${dataDir} does not exist`)
      }
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
      return { found: `${dataDir}, can be written` }
    },
  },
  {
    name: 'rights',
    needs: ['data folder'],
    remedy: 'run chmod o-rwx on it',
    async check({ env }) {
      const dataDir = readConfig(env, readDataDir)
      if (!existsSync(dataDir)) return { found: 'no data folder' }
      const { mode } = await stat(dataDir)
      if (mode & ofOthers) throw new Error(`${dataDir} is open to all users`)
      return { found: 'the data folder is not open to all users' }
    },
  },
  {
    name: 'disk',
    needs: ['data folder'],
    remedy: 'free some space, or move DATA_DIR to a larger disk',
    async check({ env }) {
      const dataDir = readConfig(env, readDataDir)
      const { bavail, blocks, bsize } = await statfs(existsSync(dataDir) ? dataDir : '.')
      const freeMb = Math.floor((bavail * bsize) / 2 ** 20)
      const share = `${freeMb} MiB free of ${Math.floor((blocks * bsize) / 2 ** 20)}`
      if (freeMb < leastFreeMb) throw new Error(share)
      return { found: share }
    },
  },
  {
    name: 'flush',
    needs: ['data folder'],
    remedy: 'use a disk that can flush (no network share, no RAM disk)',
    async check({ env }) {
      const dataDir = readConfig(env, readDataDir)
      const path = join(existsSync(dataDir) ? dataDir : '.', `.platen-doctor-${process.pid}`)
      const file = await open(path, 'wx')
      try {
        const startedAt = performance.now()
        for (let count = 0; count < flushes; count++) {
          await file.write('x')
          await file.sync()
        }
        const ms = (performance.now() - startedAt) / flushes
        const found = `${ms.toFixed(1)} ms for each flush (fsync)`
        if (ms > slowFlushMs)
          return { state: 'note', found, remedy: 'each document waits for a few flushes: a faster disk helps' }
        return { found }
      } finally {
        await file.close()
        await rm(path, { force: true })
      }
    },
  },
]
