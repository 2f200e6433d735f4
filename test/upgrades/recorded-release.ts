import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import type { Answers } from './answers.ts'

/** What a release has stored and answered, in the folder of its version. */
export interface RecordedRelease {
  version: string
  /** The commit that it was recorded with. Its processes are those of this commit. */
  commit: string
  apiKey: string
  folder: string
}

export const recordedFolder = join(import.meta.dirname, 'recorded')

/** The files of a folder. Rows and answers are text that repeats itself, so that they are packed. */
export const files = {
  release: 'release.json',
  events: 'events.sql.gz',
  answers: 'answers.json.gz',
  objects: 'objects',
  signingSecret: 'signing-secret',
} as const

/** The releases that data were recorded of, the oldest first. */
export function recordedReleases(): RecordedRelease[] {
  if (!existsSync(recordedFolder)) return []
  const folders = readdirSync(recordedFolder).map((name) => join(recordedFolder, name))
  return folders
    .map((folder) => ({ ...JSON.parse(readFileSync(join(folder, files.release), 'utf8')), folder }) as RecordedRelease)
    .toSorted((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }))
}

/** Makes a data folder of what the release has stored, as `npm start` has it. */
export async function restoreData({ folder }: RecordedRelease, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  using database = new DatabaseSync(join(dataDir, 'events.db'))
  database.exec(await readPacked(join(folder, files.events)))
  for (const name of [files.objects, files.signingSecret]) {
    await cp(join(folder, name), join(dataDir, name), { recursive: true })
  }
  await chmod(join(dataDir, files.signingSecret), 0o600)
}

export const readRecordedAnswers = async ({ folder }: RecordedRelease): Promise<Answers> =>
  JSON.parse(await readPacked(join(folder, files.answers)))

const readPacked = async (path: string) => gunzipSync(await readFile(path)).toString()
