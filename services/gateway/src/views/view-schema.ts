import type { ViewSchema } from '@platen/shared/projections/view-database.ts'

export const viewSchema: ViewSchema = {
  version: 3,
  tables: `
    CREATE TABLE templates(
      id TEXT PRIMARY KEY, slug TEXT, active INTEGER NOT NULL, revision INTEGER NOT NULL,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX templates_slug ON templates(slug) WHERE active = 1;
    CREATE TABLE generations(
      id TEXT PRIMARY KEY, api_key_id TEXT NOT NULL, status TEXT NOT NULL, template_id TEXT, state TEXT NOT NULL) STRICT;
    CREATE INDEX generations_key ON generations(api_key_id, id);
    CREATE TABLE api_keys(id TEXT PRIMARY KEY, sha256 TEXT, state TEXT NOT NULL) STRICT;
    CREATE INDEX api_keys_sha256 ON api_keys(sha256)`,
}
