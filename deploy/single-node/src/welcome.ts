export interface Welcome {
  url: string
  /** Absent: the nats-server child runs, whose URL contains a password. */
  natsUrl: string | undefined
  /** Only set on the first start. */
  apiKey: string | undefined
  /** Why nothing can be printed; undefined if documents are printed. */
  problem: string | undefined
}

/** The text that is printed when everything runs. */
export function welcome({ url, natsUrl, apiKey, problem }: Welcome): string {
  const shownOnce = apiKey === undefined ? '' : `  Your API key. It is not shown again:\n\n    ${apiKey}\n\n`
  const title = apiKey === undefined ? 'To make a PDF, with your API key in API_KEY:' : 'To make your first PDF:'
  const authorization = apiKey === undefined ? '"Authorization: Bearer $API_KEY"' : `'Authorization: Bearer ${apiKey}'`
  return `
  Platen is ready${problem === undefined ? '.' : `, but it cannot print documents:\n  ${problem}.`}

    HTTP      ${url}    (API documentation: ${url}/docs)
    events    ${natsUrl ?? 'npm run --silent platen -- nats-url  prints the URL for subscribers'}

${shownOnce}  ${title}

    curl -sS ${url}/v1/generate -o hello.pdf \\
      -H ${authorization} -H 'Content-Type: application/json' -H 'Accept: application/pdf' \\
      -d '{"html": "<h1>Hello, {{name}}!</h1>", "data": {"name": "world"}}'

  Ctrl-C stops it. Queued work continues at the next start.

`
}
