CREATE TABLE events(
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    category TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK(revision >= 0),
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '{}',
    created INTEGER NOT NULL,
    UNIQUE(stream, revision)
  ) STRICT;
INSERT INTO events VALUES(1,'apikey-key_w0saf6bvk5kb795mnkc7jr7brc','apikey',0,'09e59718-8e17-8d9d-819c-8528a7da337b','ApiKeyIssued','{"name":"API_KEY","owner_id":"own_default","sha256":"25d649969c0f104d5b55c931a7e08703d4e3ef2a4e10c437807077ef2834441a","prefix":"pk_0123","scopes":["templates:read","templates:write","generate","generations:read","admin"]}','{"time":"2026-11-23T19:06:39.332Z","correlation_id":"req_01m84wv6v4ccjkmqs2xgqze9cw","causation_id":"863a7b05-e4f8-4ce7-b970-5e0ec66390fb"}',1795460799375);
INSERT INTO events VALUES(2,'keyuse-key_w0saf6bvk5kb795mnkc7jr7brc','keyuse',0,'29fab286-91ee-4f44-a675-ce904d6bc28f','ApiKeyUsed','{"at":"2026-11-23T19:06:43.377Z"}','{"time":"2026-11-23T19:06:43.377Z"}',1795460803411);
INSERT INTO events VALUES(3,'slug-label','slug',0,'bc453eb6-b94c-805b-b003-2c727303b0dd','SlugReserved','{"template_id":"tpl_01m84wvath33evkyeqbgywecn3"}','{"time":"2026-11-23T19:06:43.423Z","correlation_id":"req_01m84wvas7de04a13vpgb9p1g2","causation_id":"fe42ee91-602b-413b-8c3b-b67b15ac6662"}',1795460803572);
INSERT INTO events VALUES(4,'template-tpl_01m84wvath33evkyeqbgywecn3','template',0,'54fe46fc-c17b-83b8-942c-c99aef5211a3','TemplateCreated','{"owner_id":"own_default","slug":"label","name":"Label","html":"<h1>{{n}}</h1>","sample_data":{"n":1}}','{"time":"2026-11-23T19:06:43.423Z","correlation_id":"req_01m84wvas7de04a13vpgb9p1g2","causation_id":"fe42ee91-602b-413b-8c3b-b67b15ac6662","api_key_id":"key_w0saf6bvk5kb795mnkc7jr7brc","version":3}',1795460803586);
INSERT INTO events VALUES(5,'template-tpl_01m84wvath33evkyeqbgywecn3','template',1,'82fb71a3-fb4e-88c5-a07e-b33b9f0a27fb','TemplateUpdated','{"html":"<h2>{{n}}</h2>"}','{"time":"2026-11-23T19:06:43.790Z","correlation_id":"req_01m84wvb503z129yt1smtp4sva","causation_id":"b4a354f1-a910-4789-acd5-cca35b58523c","api_key_id":"key_w0saf6bvk5kb795mnkc7jr7brc","version":2}',1795460803933);
INSERT INTO events VALUES(6,'generation-pdf_01m84wvbf8akpq6tz8bf99kqsy','generation',0,'c9b12d78-8d4d-8b91-ad97-875c2f975543','GenerationRequested','{"owner_id":"own_default","api_key_id":"key_w0saf6bvk5kb795mnkc7jr7brc","template":{"id":"tpl_01m84wvath33evkyeqbgywecn3","version":2,"slug":"label"},"metadata":{"order":"7"},"options":{"format":"A4","landscape":false,"margin":{"top":20,"bottom":20,"left":15,"right":15},"print_background":true,"scale":1,"javascript":"auto"}}','{"time":"2026-11-23T19:06:44.089Z","correlation_id":"req_01m84wvbe6cs127zyfgck5gct8","causation_id":"3abb4371-a88a-4bbc-a4d0-1dedeb81e274"}',1795460804204);
INSERT INTO events VALUES(7,'generation-pdf_01m84wvbf8akpq6tz8bf99kqsy','generation',1,'b3525752-f859-85b5-abe0-35b7a71be605','GenerationStarted','{"renderer":"single-node"}','{"time":"2026-11-23T19:06:44.122Z","correlation_id":"req_01m84wvbe6cs127zyfgck5gct8","causation_id":"3abb4371-a88a-4bbc-a4d0-1dedeb81e274"}',1795460804204);
INSERT INTO events VALUES(8,'generation-pdf_01m84wvbf8akpq6tz8bf99kqsy','generation',2,'f43b7601-d8b4-8cb1-9a53-6d5cdb95dcd0','GenerationCompleted','{"object_key":"pdfs/pdf_01m84wvbf8akpq6tz8bf99kqsy.4cd07639eb693cda.pdf","pages":1,"size":4784,"sha256":"b3d9f73adf5c75c82a1d45e450ea781455c0a5065c2fb9c085aa9a6990eb1b07","duration_ms":264,"phases":{"queue_ms":33,"template_ms":104,"print_ms":80,"store_ms":72},"engine":{"name":"chromium","version":"156.0.8078.79","mode":"static"},"warnings":[]}','{"time":"2026-11-23T19:06:44.387Z","correlation_id":"req_01m84wvbe6cs127zyfgck5gct8","causation_id":"3abb4371-a88a-4bbc-a4d0-1dedeb81e274","version":2}',1795460804393);
CREATE TABLE store(token TEXT NOT NULL) STRICT;
INSERT INTO store VALUES('d98b2dda');
CREATE INDEX events_category ON events(category, position);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT raise(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT raise(ABORT, 'events are never deleted'); END;
PRAGMA user_version = 1;
