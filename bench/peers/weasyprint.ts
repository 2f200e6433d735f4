import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Strategy } from '../strategies/strategy.ts'
import { spawnReady } from './spawn-ready.ts'

export const weasyprintPath = '/usr/bin/weasyprint'
const python = '/usr/bin/python3'
const script = fileURLToPath(new URL('weasyprint-server.py', import.meta.url))

/** Debian's WeasyPrint, one running process for each worker. Undefined if it is not installed. */
export async function openWeasyprint(maxConcurrency: number): Promise<Strategy | undefined> {
  if (!existsSync(weasyprintPath)) return undefined
  const children = await Promise.all(Array.from({ length: maxConcurrency }, () => spawnReady(python, [script])))
  return {
    id: 'w',
    name: 'WeasyPrint, kept running',
    isolated: true,
    inProcess: false,
    // WeasyPrint runs no scripts, and it takes longer for the 100-page table than the whole benchmark.
    accepts: ({ scripted, name }) => !scripted && name !== 'table',
    concurrency: [1, maxConcurrency],
    roots: () => children.map(({ pid }) => pid),
    async render({ html }, worker) {
      return { bytes: Number(await children[worker]?.request(JSON.stringify({ html }))) }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map((child) => child[Symbol.asyncDispose]()))
    },
  }
}
