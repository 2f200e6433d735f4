import { execFileSync } from 'node:child_process'
import t from 'tap'
import { shellWord } from './shell-word.ts'

t.test('a shell reads one word, and nothing in it as a command', async (t) => {
  t.equal(shellWord('/var/lib/platen/first-api-key'), '/var/lib/platen/first-api-key')
  for (const text of [
    '',
    'my data/key',
    "it's",
    '$(exit 1)',
    'a;b',
    '~',
    '*',
    '"',
    '`id`',
    'a\nb',
    's3://b/p?region=x&tls=true',
    'ä',
  ])
    t.equal(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' }), text)
})
