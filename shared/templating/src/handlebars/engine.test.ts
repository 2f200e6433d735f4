import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { openTemplateEngine, type TemplateEngineOptions } from './engine.ts'

function open(t: Test, options?: TemplateEngineOptions) {
  const engine = openTemplateEngine(options)
  t.teardown(() => engine.close())
  return engine
}

const endless = `${'{{#repeat 10000}}'.repeat(4)}${'{{/repeat}}'.repeat(4)}`

t.test('a job renders several sources with the same data', async (t) => {
  const engine = open(t)
  const sources = { html: '<p>{{a}}</p>', header_html: 'head {{a}}', footer_html: '{{formatDate (now) "yyyy-MM-dd"}}' }
  const rendered = await engine.render({ sources, data: { a: '<&>' }, now: new Date('2026-05-06') })
  t.same(rendered.texts, { html: '<p>&lt;&amp;&gt;</p>', header_html: 'head &lt;&amp;&gt;', footer_html: '2026-05-06' })
  t.same(await engine.render({ sources: {}, data: {} }), { texts: {}, warnings: [] })
})

t.test('errors have a code, a position and the name of the source', async (t) => {
  const engine = open(t, { workers: 1 })
  const syntaxError = {
    name: 'DomainError',
    code: 'TEMPLATE_SYNTAX_ERROR',
    details: { source: 'html', line: 2, column: 1 },
  }
  await t.rejects(engine.check('a\n{{#if a}}'), syntaxError)
  await t.rejects(engine.check('{{foo bar}}'), { code: 'TEMPLATE_RENDER_ERROR' })
  await engine.check('{{#if a}}{{/if}}')
  const failing = engine.render({ sources: { html: 'x', footer_html: '{{formatCurrency a}}' }, data: { a: 'abc' } })
  await t.rejects(failing, {
    code: 'TEMPLATE_RENDER_ERROR',
    message: 'footer_html, line 1, column 1: formatCurrency: "abc" is not a number, in {{formatCurrency a}}',
    details: { source: 'footer_html', helper: 'formatCurrency' },
  })
  const large = engine.render({ sources: { html: '{{{a}}}{{{a}}}' }, data: { a: 'x'.repeat(9 * 1024 * 1024) } })
  await t.rejects(large, { code: 'RENDER_LIMIT_EXCEEDED' })
})

t.test('an endless template is stopped without affecting other jobs', async (t) => {
  const warnings: unknown[] = []
  const engine = open(t, { workers: 1, timeoutMs: 2_000, log: { warn: (entry: unknown) => warnings.push(entry) } })
  const hanging = engine.render({ sources: { html: endless }, data: {} })
  const others = Array.from({ length: 20 }, (_, at) => engine.render({ sources: { html: '{{a}}' }, data: { a: at } }))
  await t.rejects(hanging, { code: 'TEMPLATE_TOO_COMPLEX', message: 'The template took longer than 2000 ms' })
  t.same(
    (await Promise.all(others)).map(({ texts }) => texts.html),
    Array.from({ length: 20 }, (_, at) => String(at)),
  )
  t.equal(warnings.length, 1)
})

t.test('endless templates on every worker are stopped, repeatedly', async (t) => {
  const engine = open(t, { workers: 2, timeoutMs: 2_000 })
  const jobs = Array.from({ length: 6 }, (_, at) =>
    engine.render({ sources: { html: at % 2 ? '{{a}}' : endless }, data: { a: at } }).then(
      ({ texts }) => texts.html,
      (err) => err.code,
    ),
  )
  const expected = Array.from({ length: 6 }, (_, at) => (at % 2 ? String(at) : 'TEMPLATE_TOO_COMPLEX'))
  t.same(await Promise.all(jobs), expected)
})

t.test('a template that exceeds the memory limit is stopped without affecting other jobs', async (t) => {
  const engine = open(t, { workers: 1, maxHeapMb: 32, timeoutMs: 20_000 })
  const chunks = 95
  const html = `{{#with (split text) as |l|}}${'{{#with (chunk l 1)}}'.repeat(chunks)}${'{{/with}}'.repeat(chunks)}{{/with}}`
  const exceeding = engine.render({ sources: { html }, data: { text: 'a,'.repeat(9_999) } })
  const after = engine.render({ sources: { html: '{{a}}' }, data: { a: 1 } })
  await t.rejects(exceeding, { code: 'TEMPLATE_TOO_COMPLEX', message: 'The template needed more than 32 MB of memory' })
  t.same(await after, { texts: { html: '1' }, warnings: [] })
})

t.test('200 MB of output fail the job and not the process', async (t) => {
  const engine = open(t, { workers: 1, maxHeapMb: 64, timeoutMs: 20_000 })
  const data = { a: 'x'.repeat(100_000), b: '<'.repeat(2_000_000) }
  const looping = engine.render({ sources: { html: '{{#repeat 2000}}{{a}}{{/repeat}}' }, data })
  await t.rejects(looping, { code: 'RENDER_LIMIT_EXCEEDED' })
  // Each call creates a new string. Either limit may be reached first.
  const codes = /RENDER_LIMIT_EXCEEDED|TEMPLATE_TOO_COMPLEX/
  await t.rejects(engine.render({ sources: { html: '{{uppercase a}}'.repeat(2_000) }, data }), { code: codes })
  await t.rejects(engine.render({ sources: { html: '{{b}}'.repeat(100) }, data }), { code: codes })
  t.same(await engine.render({ sources: { html: '{{a}}' }, data: { a: 1 } }), { texts: { html: '1' }, warnings: [] })
})

t.test('a thousand concurrent jobs each get their own result', async (t) => {
  const engine = open(t)
  const jobs = Array.from({ length: 1_000 }, async (_, at) => {
    const source = `${at % 7}:{{#each l}}{{this}}{{/each}} {{a}} ž😀`
    const {
      texts: { html },
    } = await engine.render({ sources: { html: source }, data: { a: at, l: [at, at + 1] } })
    return html === `${at % 7}:${at}${at + 1} ${at} ž😀`
  })
  t.same(
    (await Promise.all(jobs)).filter((right) => !right),
    [],
  )
})

t.test('jobs do not affect later jobs', async (t) => {
  const engine = open(t, { workers: 1 })
  await engine.render({
    sources: { html: '{{#*inline "p"}}secret{{/inline}}{{> p}}' },
    data: JSON.parse('{"__proto__":{"b":1}}'),
  })
  await t.rejects(engine.render({ sources: { html: '{{> p}}' }, data: {} }), { code: 'TEMPLATE_RENDER_ERROR' })
  await t.rejects(engine.render({ sources: { html: '{{> (lookup . "n")}}' }, data: { n: 'p' } }), {
    code: 'TEMPLATE_RENDER_ERROR',
  })
  t.match(await engine.render({ sources: { html: '[{{b}}]' }, data: {} }), { texts: { html: '[]' } })
})

t.test('data that cannot be cloned fails only its own job', async (t) => {
  const engine = open(t, { workers: 1 })
  await engine.render({ sources: {}, data: {} })
  await t.rejects(engine.render({ sources: { html: 'x' }, data: { a: (() => 1) as never } }), {
    name: 'DataCloneError',
  })
  t.same(await engine.render({ sources: { html: 'x' }, data: {} }), { texts: { html: 'x' }, warnings: [] })
})

t.test('data may be given as their JSON', async (t) => {
  const engine = open(t, { workers: 1 })
  const data = '{"list":[1,{"a":"ž😀"}],"id":12345678901234567890}'
  const { texts } = await engine.render({ sources: { html: '{{id}} {{list.[1].a}}' }, data })
  t.same(texts, { html: '12345678901234567890 ž😀' })
})

t.test('a heap limit that would abort the process is refused', async (t) => {
  t.throws(() => openTemplateEngine({ maxHeapMb: 15 }), { message: 'maxHeapMb must be 16 or more, not 15' })
})

t.test('closing rejects pending jobs', async (t) => {
  const engine = openTemplateEngine({ workers: 1 })
  const running = engine.render({ sources: { html: endless }, data: {} })
  const waiting = engine.render({ sources: { html: 'x' }, data: {} })
  const unavailable = { name: 'DependencyUnavailable', message: 'The template engine is closed' }
  const refused = [t.rejects(running, unavailable), t.rejects(waiting, unavailable)]
  await engine.close()
  await Promise.all(refused)
  await t.rejects(engine.check('x'), unavailable)
  await engine.close()
})

t.test('the process exits once the engine is closed', async (t) => {
  const script = `
    const { openTemplateEngine } = await import(${JSON.stringify(new URL('engine.ts', import.meta.url))})
    await using engine = openTemplateEngine()
    const hanging = engine.render({ sources: { html: ${JSON.stringify(endless)} }, data: {} }).catch((err) => err)
    console.log((await engine.render({ sources: { html: '{{a}}' }, data: { a: 'done' } })).texts.html)`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 120_000,
  })
  t.same([String(stdout), String(stderr), status], ['done\n', '', 0])
})

t.test(
  'one owner with slow templates, also with several API keys, delays another by one of them at most',
  async (t) => {
    // A thread starts in less time, also on a busy machine.
    await using engine = openTemplateEngine({ workers: 2, timeoutMs: 4_000 })
    const order: string[] = []
    const run = (owner: string, html: string) =>
      engine.render({ sources: { html }, data: {}, caller: { owner, key: crypto.randomUUID() } }).then(
        () => order.push(owner),
        () => order.push(owner),
      )
    for (let job = 0; job < 6; job++) void run('slow', endless)
    const first = run('fast', 'x')
    await first
    t.ok(order.filter((owner) => owner === 'slow').length <= 2, 'it waits for the two that run')
    const before = order.length
    await run('fast', 'x')
    t.equal(order.length, before + 1, 'and later for none: one worker is left to it')
  },
)
