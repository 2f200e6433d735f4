import t from 'tap'
import { commands } from '../commands.ts'
import { usageOf } from './help.ts'
import { duration, nameOption, parseOptions, readDuration, readTime } from './options.ts'

t.test('a time is a date, a time with its zone, or how long ago', async (t) => {
  t.equal(readTime('2026-01-31', '--since'), Date.parse('2026-01-31T00:00:00Z'))
  t.equal(readTime('2026-01-31T08:00:00+01:00', '--since'), Date.parse('2026-01-31T07:00:00Z'))
  t.equal(readTime('2026-01-31T08:00Z', '--since'), Date.parse('2026-01-31T08:00:00Z'))
  for (const [text, ms] of [
    ['90s', 90_000],
    ['15m', 900_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
  ] as const) {
    t.equal(readDuration(text, '--wait'), ms)
    const before = Date.now()
    const time = readTime(text, '--since')
    t.ok(time >= before - ms && time <= Date.now() - ms, text)
  }
  for (const wrong of ['yesterday', '7', '2026', '2026-13-01', '2026-01-31T08:00:00', '1w', '']) {
    t.throws(() => readTime(wrong, '--since'), { message: /^--since must be a date/ }, wrong)
  }
  t.throws(() => readDuration('24', '--grace'), { message: /^--grace must be a whole number and its unit/ })
})

/** Verbs that list existing things, whenever they were made. */
const inventories = ['templates list', 'partials list', 'keys list', 'owners list']

t.test('every command has its own name and explains its options', async (t) => {
  const names = commands.map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  for (const command of commands) {
    t.match(command.name, /^[a-z-]+( [a-z-]+)?$/)
    t.match(usageOf(command), /\[--json\]$/)
    for (const [name, { value, about }] of Object.entries(command.options)) {
      t.ok(about.length > 0, `${command.name} --${name}`)
      if (['since', 'until'].includes(name)) t.equal(value, 'TIME', `${command.name} --${name}`)
    }
    const isList =
      /(list|history|events|stream|archive read)$/.test(command.name) && !inventories.includes(command.name)
    if (!isList) continue
    for (const name of ['since', 'until', 'last']) t.ok(name in command.options, `${command.name} --${name}`)
  }
})

t.test('an option with an empty value is refused: as a filter it would select everything', async (t) => {
  for (const { name: command, options } of commands) {
    for (const [name, { value }] of Object.entries(options)) {
      if (value === undefined) continue
      const alone = { [name]: options[name] ?? { about: '' } }
      const refused = { message: new RegExp(`^--${name} (needs a value|is required)`) }
      for (const args of [[`--${name}`, ''], [`--${name}=`]])
        t.throws(() => parseOptions(args, alone), refused, `${command} ${args}`)
    }
  }
})

t.test('a name is one that the API accepts, and a duration has the limit of its option', async (t) => {
  const options = { name: nameOption('of it'), wait: duration('that long', 24) }
  const read = (...args: string[]) => parseOptions(args, options).values
  t.match(read('--name', 'x'.repeat(100), '--wait', '24d'), { name: String, wait: 24 * 86_400_000 })
  t.throws(() => read('--name', 'x'.repeat(101)), { message: '--name must have at most 100 characters' })
  t.throws(() => read('--name', 'a\u001b[2Jb'), { message: '--name must have no control characters' })
  t.throws(() => read('--wait', '25d'), { message: '--wait must be at most 24d' })
})
