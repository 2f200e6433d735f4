import type { ViewSchema } from '@platen/service-kit/projections/view-database.ts'

export const viewSchema: ViewSchema = {
  version: 1,
  tables: `
    CREATE TABLE templates(
      id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, slug TEXT, active INTEGER NOT NULL, revision INTEGER NOT NULL,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX templates_slug ON templates(owner_id, slug) WHERE active = 1;
    CREATE INDEX templates_owner ON templates(owner_id, id) WHERE active = 1;
    CREATE TABLE template_partials(
      template_id TEXT NOT NULL, owner_id TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL,
      follows INTEGER NOT NULL, PRIMARY KEY(template_id, name)) STRICT, WITHOUT ROWID;
    CREATE INDEX template_partials_name ON template_partials(owner_id, name);
    CREATE TABLE template_assets(
      template_id TEXT NOT NULL, owner_id TEXT NOT NULL, name TEXT NOT NULL, sha256 TEXT NOT NULL,
      PRIMARY KEY(template_id, name)) STRICT, WITHOUT ROWID;
    CREATE INDEX template_assets_name ON template_assets(owner_id, name);
    CREATE TABLE partials(
      id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, name TEXT NOT NULL, active INTEGER NOT NULL, revision INTEGER NOT NULL,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL, calls TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX partials_name ON partials(owner_id, name) WHERE active = 1;
    CREATE TABLE template_labels(
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, labels TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE aged(id INTEGER PRIMARY KEY CHECK(id = 1), through TEXT NOT NULL) STRICT;
    CREATE TABLE generations(
      id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, status TEXT NOT NULL, template_id TEXT, state TEXT NOT NULL) STRICT;
    CREATE INDEX generations_owner ON generations(owner_id, id);
    CREATE INDEX generations_status ON generations(owner_id, status, id);
    CREATE INDEX generations_template ON generations(owner_id, template_id, status, id) WHERE template_id IS NOT NULL;
    CREATE TABLE generation_metadata(
      owner_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY(owner_id, key, value, id)) STRICT, WITHOUT ROWID;
    CREATE TABLE api_keys(
      id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT, state TEXT NOT NULL) STRICT;
    CREATE INDEX api_keys_owner ON api_keys(owner_id, created_at, id);
    CREATE TABLE api_key_secrets(sha256 TEXT PRIMARY KEY, id TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE owners(id TEXT PRIMARY KEY, created_at TEXT, state TEXT NOT NULL) STRICT`,
}
