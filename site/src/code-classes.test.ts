import t from 'tap'
import { CodeClasses } from './code-classes.ts'

type Options = Parameters<NonNullable<CodeClasses['transformer']['preprocess']>>[1]

t.test('a busy machine gives code the same colours', async (t) => {
  const options = { lang: 'sh', themes: {} } as Options
  new CodeClasses().transformer.preprocess?.call({} as never, 'npm test', options)
  t.equal(options.tokenizeTimeLimit, 0, 'Shiki has no limit of time')
})
