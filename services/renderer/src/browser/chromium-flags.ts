import type { LaunchOptions } from './launch.ts'

/** Heap of one renderer process, in MiB. */
const documentHeapMb = 256

/** What a browser needs of our environment. The rest (keys, addresses of parts) is none of a document's business. */
const environmentNames = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE']

export function environmentOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(environmentNames.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}

/** No traffic and no work of its own accord. */
const quiet = [
  ...['--disable-background-networking', '--disable-component-update', '--disable-default-apps', '--disable-sync'],
  ...['--disable-extensions', '--disable-component-extensions-with-background-pages', '--disable-field-trial-config'],
  ...['--no-first-run', '--no-default-browser-check', '--no-service-autorun', '--metrics-recording-only'],
  ...['--password-store=basic', '--use-mock-keychain', '--disable-breakpad', '--disable-search-engine-choice-screen'],
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,PaintHolding,NetworkTimeServiceQuerying,PreconnectToSearch,IsolateOrigins,site-per-process',
]

/** A page that nobody looks at runs as if somebody did. */
const awake = [
  ...['--disable-background-timer-throttling', '--disable-backgrounding-occluded-windows'],
  ...['--disable-renderer-backgrounding', '--disable-hang-monitor', '--disable-back-forward-cache'],
]

/** With these no page gets animation frames, not even one that was opened without begin-frame control. */
const beginFrame = ['--enable-begin-frame-control', '--run-all-compositor-stages-before-draw']

export function chromiumFlags({
  sandbox,
  proxyHost,
  profile,
  beginFrameControl = false,
}: LaunchOptions & { profile: string }): string[] {
  return [
    ...['--headless', '--remote-debugging-pipe', '--no-startup-window', `--user-data-dir=${profile}`],
    ...['--hide-scrollbars', '--mute-audio', '--force-color-profile=srgb', '--enable-unsafe-swiftshader'],
    '--disable-dev-shm-usage',
    ...quiet,
    ...awake,
    ...(sandbox ? [] : ['--no-sandbox']),
    ...(beginFrameControl ? beginFrame : []),
    // Each context brings a proxy of its own; nothing listens on port 9 for whatever belongs to none.
    `--proxy-server=http://${proxyHost}:9`,
    '--proxy-bypass-list=<-loopback>',
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${proxyHost}`,
    '--disable-quic',
    '--disable-site-isolation-trials',
    '--dns-prefetch-disable',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--block-new-web-contents',
    '--deny-permission-prompts',
    // Hinted glyphs have the widths of a screen, which a printed line does not want.
    '--font-render-hinting=none',
    `--js-flags=--max-old-space-size=${documentHeapMb}`,
  ]
}
