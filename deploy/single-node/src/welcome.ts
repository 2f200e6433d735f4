import { shellWord } from '@platen/foundation/runtime/shell-word.ts'

export interface Welcome {
  url: string
  /** Whether the studio is served. */
  hasStudio: boolean
  /** Absent: the nats-server child runs, whose URL contains a password. */
  natsUrl: string | undefined
  /** The first API key, or the file that has it. Absent if it was shown or deleted. */
  apiKey: { key: string } | { path: string } | undefined
  /** Why nothing can be printed; undefined if documents are printed. */
  problem: string | undefined
  /** Why Chromium runs without its sandbox; undefined if it has it. */
  noSandbox: 'root' | 'setting' | undefined
}

/** The text that is printed when everything runs. */
export function welcome({ url, hasStudio, natsUrl, apiKey, problem, noSandbox }: Welcome): string {
  const key = apiKey && 'key' in apiKey ? apiKey.key : undefined
  const title =
    apiKey === undefined
      ? 'To make a PDF, with your API key in API_KEY:'
      : 'To make your first PDF, in another terminal:'
  const authorization = key === undefined ? '"Authorization: Bearer $API_KEY"' : `'Authorization: Bearer ${key}'`
  return `
  Platen is ready${problem === undefined ? '.' : `, but it cannot print documents:\n  ${problem}.`}

${hasStudio ? `    Studio    ${studioUrl(url, key)}\n` : ''}\
    HTTP      ${url}    (documentation: ${url}/docs)
    events    ${natsUrl ?? 'npm run --silent platen -- nats-url  prints the URL for subscribers'}

${noSandbox === undefined ? '' : sandboxText[noSandbox]}${apiKeyText(apiKey)}  ${title}

${apiKey && 'path' in apiKey ? `    export API_KEY=$(cat ${shellWord(apiKey.path)})\n` : ''}\
    curl -sS ${url}/v1/generate -o hello.pdf \\
      -H ${authorization} -H 'Content-Type: application/json' -H 'Accept: application/pdf' \\
      -d '{"html": "<h1>Hello, {{name}}!</h1>", "data": {"name": "world"}}'

  Ctrl-C stops it. Queued work continues at the next start.

`
}

const withoutSandbox = 'Chromium runs without its sandbox'
const sandboxText = {
  root: `  ${withoutSandbox}, because Platen was started as root. A document that breaks out of the browser
  can read and change everything on this machine. Start Platen as another user, unless you trust all documents.

`,
  setting: `  ${withoutSandbox} (CHROMIUM_SANDBOX=false). A document that breaks out of the browser can read and
  change everything that this user can. Remove the setting, unless you trust all documents.

`,
}

/** With the key in the fragment, which a browser does not send, the studio is signed in at once. */
const studioUrl = (url: string, key: string | undefined) => `${url}/studio${key === undefined ? '' : `#key=${key}`}`

function apiKeyText(apiKey: Welcome['apiKey']): string {
  if (apiKey === undefined) return ''
  if ('key' in apiKey) return `  Your API key. It is not shown again:\n\n    ${apiKey.key}\n\n`
  return `  Your API key is in a file that only the user of this process can read, because this output may be kept in a log.
  Delete the file when you have stored the key elsewhere:

    ${apiKey.path}

`
}
