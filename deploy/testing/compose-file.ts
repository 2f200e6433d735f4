import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export const root = join(import.meta.dirname, '../..')
export const readText = (path: string) => readFileSync(join(root, path), 'utf8')

export interface ComposeService {
  image: string
  build?: { context: string; dockerfile: string; args?: Record<string, string> }
  environment?: Record<string, string | number>
  ports?: string[]
  networks: string[]
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck: { test: string[] }
  stop_grace_period: string
  restart: string
  init?: boolean
  read_only?: boolean
  pids_limit?: number
  cap_drop: string[]
  security_opt: string[]
  deploy: { replicas?: number; resources: { limits: { cpus: string; memory: string; pids?: number } } }
}

export interface ComposeFile {
  services: Record<string, ComposeService>
  networks: Record<string, { internal?: boolean; driver_opts?: Record<string, string> }>
  volumes: Record<string, unknown>
}

export const readCompose = () => parse(readText('docker-compose.yml'), { merge: true }) as ComposeFile

/** Replaces `${NAME:-default}` and `${NAME:?message}` like compose, also nested. Throws if a required variable is not set. */
export function interpolate(text: string, env: Record<string, string>): string {
  const replaced = text.replace(/\$\{(\w+)(?::([-?])([^${}]*))?\}/g, (_all, name: string, kind?: string, rest = '') => {
    const value = env[name]
    if (value) return value
    if (kind === '?') throw new Error(`${name}: ${rest}`)
    return rest
  })
  return replaced === text ? text : interpolate(replaced, env)
}

/** The variables of an env file: lines of NAME=value. */
export function parseEnvFile(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
