import t from 'tap'
import { namedAssets } from './asset-names.ts'

const names = (source: string) => namedAssets(source).map(({ name, isUrl }) => `${name}${isUrl ? '!' : ''}`)

t.test('names are found where they are complete', async (t) => {
  const cases: Record<string, string[]> = {
    '<img src="asset:logo.svg">': ['logo.svg!'],
    '<img src=asset:logo.svg>': ['logo.svg!'],
    "url(asset:a.png), url('asset:i.svg#b')": ['a.png!', 'i.svg!'],
    '<img srcset="asset:a.png 1x, asset:b.png 2x">': ['a.png!', 'b.png'],
    '<img src="{{#if x}}asset:a.png{{else}}asset:b.png{{~/if}}">': ['a.png', 'b.png'],
    '{{> head logo="asset:a.svg"}}': ['a.svg!'],
    '<img src="asset:{{logo}}.svg"><img src="asset:logo-{{n}}.svg">': [],
    'Our asset: a house, asset:cash and my-asset:x.': ['cash'],
    '<img src="asset:Logo.svg"><img src="asset:../a"><img src="asset:a/b"><img src="asset:a%20b">': [
      'Logo.svg!',
      'a/b!',
    ],
    '<script src="asset:@fontsource/lora/a.js"></script><img src="asset:icons/{{name}}.svg">': [
      '@fontsource/lora/a.js!',
    ],
    'asset:': [],
  }
  for (const [source, expected] of Object.entries(cases)) t.strictSame(names(source), expected, source)
})
