import type { LoadingKind } from './loading-kind.ts'

const late = { text: 'late', colours: ['green'], scripted: true } as const
const page = '<!doctype html><p>early</p>'

/** Resources that scripts load. */
export const scriptKinds: LoadingKind[] = [
  { name: 'deferred script', html: (at) => `${page}<script defer src="${at}late.js"></script>`, ...late },
  { name: 'async script', html: (at) => `${page}<script async src="${at}late.js"></script>`, ...late },
  { name: 'module', html: (at) => `${page}<script type="module" src="${at}module.js"></script>`, ...late },
  {
    name: 'script added by script',
    html: (at) => `${page}<script>
      document.head.append(Object.assign(document.createElement('script'), { src: '${at}late.js' }))
    </script>`,
    ...late,
  },
  {
    name: 'sheet added by script',
    html: (at) => `<!doctype html><p>beside</p><div style="width: 100px; height: 100px"></div><script>
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '${at}background.css' })
      document.head.append(link)
    </script>`,
    text: 'beside',
    colours: ['green'],
    scripted: true,
  },
  {
    name: 'sheet with a font added by script',
    html: (at) => `<!doctype html><p>web</p><script>
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '${at}font.css' })
      document.head.append(link)
    </script>`,
    text: 'web',
    colours: [],
    scripted: true,
  },
]
