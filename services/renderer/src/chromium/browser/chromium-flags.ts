/** Heap of one renderer process, in MiB. */
const documentHeapMb = 256

/** `WebRtcHideLocalIpsWithMdns`: without it WebRTC also asks for no `.local` name, which it does past the resolver rules. */
const disabledFeatures = [
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
  'IsolateOrigins',
  'site-per-process',
  'WebRtcHideLocalIpsWithMdns',
]

/** Switch off background traffic and services. */
const noBackgroundWork = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--disable-extensions',
  '--disable-component-extensions-with-background-pages',
  '--disable-field-trial-config',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
  '--disable-breakpad',
  '--disable-search-engine-choice-screen',
  `--disable-features=${disabledFeatures}`,
  // Connections are partitioned by the site of the page, which differs for each document, so that no document resumes
  // the TLS session of another.
  '--enable-features=PartitionConnectionsByNetworkIsolationKey',
]

/** Pages without a visible window run at full speed. */
const noThrottling = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-back-forward-cache',
]

/** Stop the animation frames of all pages, also of those opened without begin-frame control. */
const beginFrame = ['--enable-begin-frame-control', '--run-all-compositor-stages-before-draw']

/** Without 3D, the software renderer of the GPU process is turned off. It takes 15 MB, and is no boundary to hostile content. */
const no3d = ['--disable-gpu', '--disable-software-rasterizer']

export interface FlagOptions {
  sandbox: boolean
  /** The address of the egress proxies, the only one that the browser may connect to. */
  proxyHost: string
  /** The user data folder. */
  profile: string
  /** Whether scripts may draw with WebGL. Default: false. */
  webgl?: boolean
  /** For documents without animation frames: no frames are drawn for a screen. Headless shell only. */
  beginFrameControl?: boolean
}

export function chromiumFlags({
  sandbox,
  proxyHost,
  profile,
  webgl = false,
  beginFrameControl = false,
}: FlagOptions): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    '--no-startup-window',
    `--user-data-dir=${profile}`,
    '--hide-scrollbars',
    '--mute-audio',
    '--force-color-profile=srgb',
    '--disable-dev-shm-usage',
    // Images and frames with loading=lazy load like all others: a printed page is not scrolled.
    '--blink-settings=lazyLoadEnabled=false',
    ...noBackgroundWork,
    ...noThrottling,
    ...(sandbox ? [] : ['--no-sandbox']),
    ...(webgl ? ['--enable-unsafe-swiftshader'] : no3d),
    ...(beginFrameControl ? beginFrame : []),
    // Each browser context has its own proxy. Requests outside a context go to port 9, where nothing listens.
    `--proxy-server=http://${proxyHost}:9`,
    '--proxy-bypass-list=<-loopback>',
    `--host-resolver-rules=MAP * ^NOTFOUND, EXCLUDE ${proxyHost}`,
    '--disable-quic',
    '--disable-site-isolation-trials',
    '--dns-prefetch-disable',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--block-new-web-contents',
    '--deny-permission-prompts',
    // Hinting changes the widths of glyphs for screens.
    '--font-render-hinting=none',
    `--js-flags=--max-old-space-size=${documentHeapMb}`,
  ]
}
