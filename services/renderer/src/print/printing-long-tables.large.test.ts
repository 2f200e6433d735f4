import { longTables, looksWhole } from '@platen/test-support/renderer/long-tables.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'

// A table of more than 4,000 rows is printed in slices, or in parts, which look like one. printing-long-tables.test.ts has what does
// not depend on the number of rows.

const limits = { pages: 1_000, pdfBytes: 50e6, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 20_000 }
const printer = await openTestPrinter({ deadlineMs: 120_000, limits })
t.teardown(() => printer[Symbol.asyncDispose]())

const { collapsed, counted } = longTables(4_100).documents
looksWhole(t, printer, {
  'borders that collapse, a head of two lines, stripes': collapsed,
  'numbers of rows by counters, and cells over several rows': counted,
})
