import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Programs of Debian that read PDFs. Tests use those that are installed. */
export type Judge = 'qpdf' | 'pdfdetach' | 'pdfsig' | 'pdfinfo' | 'pdftoppm' | 'pdftotext'

/** For the option `skip` of a test: the name of the program that is missing. */
export function missing(judge: Judge): string | false {
  return spawnSync(judge, ['--version']).error ? `${judge} is not installed` : false
}

/** What a program says of a PDF, which stands for `FILE` in its arguments. */
export function judged(judge: Judge, args: readonly string[], pdf: Uint8Array): { status: number; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'platen-pdf-'))
  try {
    const file = join(folder, 'judged.pdf')
    writeFileSync(file, pdf)
    const { status, stdout, stderr } = spawnSync(
      judge,
      args.map((arg) => (arg === 'FILE' ? file : arg)),
      { encoding: 'utf8', cwd: folder, maxBuffer: 50 * 2 ** 20 },
    )
    return { status: status ?? -1, output: `${stdout}${stderr}` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
