/** The categories of the object store, by the first part of the key. The first one is used to test the store. */
export const objectCategories = [
  { name: 'inputs', withoutRights: 'fatal' },
  { name: 'pdfs', withoutRights: 'fatal', ifDeleted: 'the URLs of these PDFs then answer 410' },
  {
    name: 'assets',
    withoutRights: { warning: 'documents get no assets' },
    ifDeleted: 'documents that use them are printed without',
  },
  // Snapshots of views. Without them a gateway without views reads all events.
  { name: 'views', withoutRights: 'unchecked' },
  // Only `platen archive` writes these objects.
  { name: 'archive', withoutRights: 'unchecked', ifDeleted: 'an archive with a gap is refused' },
] as const
