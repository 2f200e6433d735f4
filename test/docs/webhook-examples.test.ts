import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { webhookHeaders } from '../../services/notifier/src/webhook/sign.ts'
import { root } from './code-blocks.ts'

const folder = join(root, 'examples/webhooks')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const body = '{"type":"generation.completed","data":{"file_name":"Übersicht €.pdf"}}'

interface Example {
  language: string
  file: string
  /** What must be installed. */
  needs: string
  isThere(): boolean
  /** The command; builds it first where the language needs that. */
  command(t: Test): string[]
}

function buildWithMono(t: Test): string[] {
  const program = join(t.testdir(), 'verify.exe')
  const source = join(folder, 'csharp/Program.cs')
  const built = spawnSync('mcs', [`-out:${program}`, source], { encoding: 'utf8' })
  t.equal(built.status, 0, built.stderr)
  return ['mono', program]
}

/** Builds with dotnet, which needs a project file, but no packages of NuGet. */
function buildWithDotnet(t: Test): string[] {
  const [major, minor] = spawnSync('dotnet', ['--version'], { encoding: 'utf8' }).stdout.split('.')
  const framework = Number(major) < 5 ? `netcoreapp${major}.${minor}` : `net${major}.0`
  const properties = `<OutputType>Exe</OutputType><TargetFramework>${framework}</TargetFramework><UseAppHost>false</UseAppHost>`
  const project = t.testdir({
    'Verify.csproj': `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${properties}</PropertyGroup></Project>`,
    'Program.cs': readFileSync(join(folder, 'csharp/Program.cs')),
  })
  const built = spawnSync('dotnet', ['build', '--nologo', '-o', join(project, 'out')], {
    cwd: project,
    encoding: 'utf8',
  })
  t.equal(built.status, 0, built.stdout)
  return ['dotnet', join(project, 'out/Verify.dll')]
}

const runs = (...[program = '', ...args]: string[]) => spawnSync(program, args).status === 0

const examples: Example[] = [
  {
    language: 'TypeScript',
    file: 'typescript/verify.ts',
    needs: 'node',
    isThere: () => true,
    command: () => [process.execPath, join(folder, 'typescript/verify.ts')],
  },
  {
    language: 'Python',
    file: 'python/verify.py',
    needs: 'python3',
    isThere: () => runs('python3', '--version'),
    command: () => ['python3', join(folder, 'python/verify.py')],
  },
  {
    language: 'Go',
    file: 'go/verify.go',
    needs: 'go',
    isThere: () => runs('go', 'version'),
    command(t) {
      const program = join(t.testdir(), 'verify')
      const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' }
      const built = spawnSync('go', ['build', '-o', program, join(folder, 'go/verify.go')], { env, encoding: 'utf8' })
      t.equal(built.status, 0, built.stderr)
      return [program]
    },
  },
  {
    language: 'Java',
    file: 'java/Verify.java',
    needs: 'javac',
    isThere: () => runs('javac', '-version'),
    command(t) {
      const classes = t.testdir()
      const built = spawnSync('javac', ['-d', classes, join(folder, 'java/Verify.java')], { encoding: 'utf8' })
      t.equal(built.status, 0, built.stderr)
      return ['java', '-XX:TieredStopAtLevel=1', '-cp', classes, 'Verify']
    },
  },
  {
    language: 'PHP',
    file: 'php/verify.php',
    needs: 'php',
    isThere: () => runs('php', '--version'),
    command: () => ['php', join(folder, 'php/verify.php')],
  },
  {
    language: 'C#',
    file: 'csharp/Program.cs',
    needs: 'dotnet or mcs',
    isThere: () => runs('dotnet', '--version') || runs('mcs', '--version'),
    command: (t) => (runs('dotnet', '--version') ? buildWithDotnet(t) : buildWithMono(t)),
  },
]

const nowS = Math.floor(Date.now() / 1_000)
const signed = (secrets: string[], timestampS = nowS) => webhookHeaders({ id: 'msg_1', timestampS, body, secrets })

const cases: [what: string, expected: string, headers: Record<string, string>, sent?: string][] = [
  ['a webhook of Platen', 'valid', signed([secret])],
  ['two signatures while the secret is rotated', 'valid', signed([other, secret])],
  ['another body', 'refused', signed([secret]), `${body} `],
  ['another secret', 'refused', signed([other])],
  ['another id', 'refused', { ...signed([secret]), 'webhook-id': 'msg_2' }],
  ['ten minutes ago', 'refused', signed([secret], nowS - 600)],
  ['in ten minutes', 'refused', signed([secret], nowS + 600)],
  ['no time', 'refused', { ...signed([secret]), 'webhook-timestamp': 'soon' }],
  ['no signature', 'refused', { ...signed([secret]), 'webhook-signature': '' }],
]

for (const { language, needs, isThere, command } of examples) {
  t.test(`${language} accepts signed webhooks only`, { skip: !isThere() && `${needs} is not installed` }, async (t) => {
    const [program = '', ...args] = command(t)
    const judge = async ([what, expected, headers, sent = body]: (typeof cases)[number]) => {
      const given = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name] ?? '')
      const child = spawn(program, [...args, ...given], { env: { ...process.env, WEBHOOK_SECRET: secret } })
      child.stdin.end(sent)
      const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
      t.equal(printed.trim(), expected, `${what} ${errors}`)
    }
    await Promise.all(cases.map(judge))
  })
}

t.test('docs/guides/verify-webhooks.md has the functions of the examples', async (t) => {
  const page = readFileSync(join(root, 'docs/guides/verify-webhooks.md'), 'utf8')
  for (const { file } of examples) {
    t.ok(page.includes(`(../../examples/webhooks/${file})`), `a link to ${file}`)
    const { code } = blockOf(page, file)
    t.ok(readFileSync(join(folder, file), 'utf8').includes(code), `the code of ${file}`)
  }
})

/** The code block after the link to the file. */
function blockOf(page: string, file: string): { code: string } {
  const [, after = ''] = page.split(`(../../examples/webhooks/${file})`)
  return { code: /```\w+\n([\s\S]*?)```/.exec(after)?.[1] ?? 'there is no block' }
}
