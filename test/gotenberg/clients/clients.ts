/** A public client of Gotenberg, at the version that is tried. Its calls run in a folder of its own. */
export interface Client {
  name: string
  version: string
  /** Programs that the machine must have. Without one, the client is skipped. */
  needs: readonly string[]
  /** The folder of `calls/` with the program. */
  calls: string
  /** What the program does with it, of `everyCall`. */
  can: readonly Call[]
  /** Shell commands. In their environment is TOOLS, a folder that is kept between two runs. */
  install: string
  /**
   * Also in its environment: GOTENBERG_URL and API_KEY; PAGE_URL, the URL of a web page; HOOK_URL, which takes the results of webhooks.
   * It writes `<call>.pdf` for each call but `webhook`.
   */
  call: string
}

/**
 * `html`: HTML with a style sheet and a header, on A5. `url`: a web page. `merge`: the PDFs of both. `archive`: HTML as PDF/A-3b.
 * `webhook`: HTML that is sent to HOOK_URL.
 */
export const everyCall = ['html', 'url', 'merge', 'archive', 'webhook'] as const
export type Call = (typeof everyCall)[number]

/** Packages in a folder that is kept, of which the program sees them. It waits for no registry that is not there. */
const npm = (name: string) => `folder="$TOOLS/${name.replaceAll('@', '-')}"
test -e "$folder/done" || npm install --prefix "$folder" --no-audit --no-fund --loglevel=error --fetch-retries=0 --fetch-timeout=15000 ${name}
touch "$folder/done" && ln -s "$folder/node_modules" node_modules`

const chromiumly = '6.0.0'
const jsClient = '0.7.4'
const pythonClient = '1.0.0'
const goClient = 'v8.12.0'

export const clients: readonly Client[] = [
  {
    name: 'chromiumly (npm)',
    version: chromiumly,
    needs: ['npm'],
    calls: 'chromiumly',
    can: everyCall,
    install: npm(`chromiumly@${chromiumly}`),
    call: 'node calls.mjs',
  },
  {
    name: 'gotenberg-js-client (npm)',
    version: jsClient,
    needs: ['npm'],
    calls: 'gotenberg-js-client',
    // It sends fields of Gotenberg 6 for URLs and webhooks, and knows no PDF/A.
    can: ['html', 'merge'],
    install: npm(`gotenberg-js-client@${jsClient}`),
    call: 'node calls.mjs',
  },
  {
    name: 'gotenberg-client (PyPI)',
    version: pythonClient,
    needs: ['python3'],
    calls: 'gotenberg-client-python',
    can: everyCall,
    install: `folder="$TOOLS/gotenberg-client-${pythonClient}"
test -e "$folder/done" || { python3 -m venv "$folder" && "$folder/bin/pip" install -q --disable-pip-version-check --retries 0 --timeout 15 "gotenberg-client[httpx]==${pythonClient}"; }
touch "$folder/done"`,
    call: `"$TOOLS/gotenberg-client-${pythonClient}/bin/python" calls.py`,
  },
  {
    name: 'gotenberg-go-client (Go)',
    version: goClient,
    needs: ['go'],
    calls: 'gotenberg-go-client',
    can: everyCall,
    install: 'go mod download && go vet .',
    call: 'go run .',
  },
]
