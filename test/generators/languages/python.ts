import { type Generator, openapiGenerator } from '../generator.ts'

const venv = (...packages: string[]) => `test -x venv/bin/python || python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ${packages.join(' ')}`
/** The calls strictly, as their code is ours; the generated code by the rules that mypy has without options. */
const compile = (name: string) => `export MYPYPATH=client
venv/bin/mypy --strict --follow-imports=silent ten_calls.py
venv/bin/mypy client/${name}`

const mypy = 'mypy==2.4.1'

const pythonClient = '0.29.1'

export const pythonGenerators: readonly Generator[] = [
  {
    name: 'openapi-python-client',
    version: pythonClient,
    flags: '--config with content_type_overrides of application/pdf and image/png to application/octet-stream',
    needs: ['python3'],
    calls: 'openapi-python-client',
    install: venv(`openapi-python-client==${pythonClient}`, mypy, 'types-python-dateutil'),
    generate:
      'PATH="$PWD/venv/bin:$PATH" openapi-python-client generate --path "$DOCUMENT" --config config.yaml --output-path client',
    compile: compile('platen_client'),
    call: 'venv/bin/python ten_calls.py',
  },
  openapiGenerator('python', {
    flags: '',
    needs: ['python3'],
    calls: 'openapi-generator-python',
    install: venv(
      'urllib3==2.8.0',
      'python-dateutil==2.9.0.post0',
      'pydantic==2.14.4',
      'typing-extensions==4.16.0',
      mypy,
      'types-python-dateutil',
    ),
    compile: compile('openapi_client'),
    call: 'venv/bin/python ten_calls.py',
  }),
]
