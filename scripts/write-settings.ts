import { allSettings, type ListedSetting, services } from './all-settings.ts'

/** The table of docs/reference/settings.md. */
export function settingsTable(): string {
  const rows = ours().map(({ setting, readBy }) => [
    `\`${setting.name}\``,
    setting.shownDefault,
    readers(readBy),
    setting.meaning,
  ])
  return table([['variable', 'default', 'read by', 'meaning'], ...rows])
}

/** The table of settings to set first, with the defaults of `npm start`. */
export function firstTable(): string {
  const rows = ours().flatMap(({ setting: { name, setFirst, shownDefault, meaning } }) => {
    if (setFirst === undefined) return []
    return [[`\`${name}\``, setFirst === true ? shownDefault : setFirst, meaning]]
  })
  return table([['variable', 'default', 'meaning'], ...rows])
}

/** The source of shared/foundation/src/settings/known-settings.ts. */
export function knownSettingsSource(): string {
  const names = allSettings.map(({ setting }) => `  '${setting.name}',\n`).sort()
  return `/**
 * The settings of all services and of \`npm start\`, and variables of other specifications that a start checks. Each
 * process knows all of them, because services often share one file of settings. Written by \`npm run generate\`.
 */
export const knownSettings: readonly string[] = [
${names.join('')}]
`
}

/** The settings in the order of declaration: those of all services, those of the gateway, and so on. */
function ours(): ListedSetting[] {
  return allSettings.filter(({ setting }) => !setting.standard)
}

function readers(readBy: ListedSetting['readBy']): string {
  if (readBy.length === 0) return '`npm start`'
  return readBy.length === services.length ? 'all' : readBy.join(', ')
}

function table([head = [], ...rows]: string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`
}
