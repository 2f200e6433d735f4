import { defineCommand, one } from '../frame/command.ts'
import { inRange, range } from '../frame/options.ts'
import { printRows } from '../frame/table.ts'
import { openLibrary, ownerOption } from './library.ts'

export const listPartials = defineCommand({
  name: 'partials list',
  summary: 'list partials that are not deleted',
  options: ownerOption,
  async run({ env, print }, { owner, json }) {
    const rows = (await (await openLibrary(env, owner)).partials()).map(({ html, ...partial }) => ({
      ...partial,
      bytes: Buffer.byteLength(html),
    }))
    const columns = ({ id, name, version, bytes }: (typeof rows)[number]) => [
      id,
      name,
      `version ${version}`,
      `${bytes} bytes`,
    ]
    printRows(rows, { print, json, columns })
  },
})

export const partialHistory = defineCommand({
  name: 'partials history',
  argument: one('id or name'),
  summary: 'list the versions of a partial, also of a deleted one: when, and what happened',
  options: { ...range('saved'), ...ownerOption },
  notes: ['`trace` prints by which requests.'],
  async run({ env, print }, { argument, owner, json, ...given }) {
    const versions = await (await openLibrary(env, owner)).partialVersions(argument)
    const rows = inRange(versions, given, ({ created_at }) => created_at)
    const columns = ({ version, created_at, status, html_sha256 = '' }: (typeof rows)[number]) => [
      String(version),
      created_at,
      status,
      html_sha256.slice(0, 12),
    ]
    printRows(rows, { print, json, columns })
  },
})
