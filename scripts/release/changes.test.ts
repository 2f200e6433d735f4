import t from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { problemsOfTag, sectionOf } from './changes.ts'

const changelog = `# Changelog

## [Unreleased]

- Next.

## [1.10.0] - 2027-02-01

### Documents

- Ten.

## [1.1.0] - 2027-01-01

- One.
`

t.test('the section of a version ends at the next one', async (t) => {
  t.equal(sectionOf(changelog, 'Unreleased'), '- Next.')
  t.equal(sectionOf(changelog, '1.10.0'), '### Documents\n\n- Ten.')
  t.equal(sectionOf(changelog, '1.1.0'), '- One.')
  t.equal(sectionOf(changelog, '1.1'), undefined)
})

t.test('a tag of another version is a problem, and so is a version without a section or recorded data', async (t) => {
  const { version } = manifest
  t.match(await problemsOfTag('v0.0.9', '0.0.9'), [
    'CHANGELOG.md has no section ## [0.0.9]',
    /^there is no test\/upgrades\/recorded\/0\.0\.9\/release\.json/,
  ])
  t.match(await problemsOfTag('v0.0.8', version), [`the tag v0.0.8 is not v${version}, the version of package.json`])
})
