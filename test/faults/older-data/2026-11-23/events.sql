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
INSERT INTO events VALUES(1,'apikey-key_w0saf6bvk5kb795mnkc7jr7brc','apikey',0,'17c2ca9f-b804-8fde-9e8d-ca498ada75c9','ApiKeyIssued','{"name":"API_KEY","owner_id":"own_default","sha256":"25d649969c0f104d5b55c931a7e08703d4e3ef2a4e10c437807077ef2834441a","prefix":"pk_0123","scopes":["templates:read","templates:write","generate","generations:read","admin"]}','{"time":"2026-11-23T19:06:06.929Z","correlation_id":"req_01m84wt76w00q03pxbe11h74cd","causation_id":"211907f9-205a-4958-b21d-207b82c1b62e"}',1795460766956);
INSERT INTO events VALUES(2,'keyuse-key_w0saf6bvk5kb795mnkc7jr7brc','keyuse',0,'2b0d86eb-547f-4acd-9c96-6ec6daee0969','ApiKeyUsed','{"at":"2026-11-23T19:06:11.458Z"}','{"time":"2026-11-23T19:06:11.458Z"}',1795460771460);
INSERT INTO events VALUES(3,'slug-own_default.label','slug',0,'eb5d06e3-4b22-8c9f-bb66-4ec98b0260b1','SlugReserved','{"template_id":"tpl_01m84wtbm85hpd6xpyy1cdhz95","by":"c8e080c9-1deb-4b3c-a35c-0ccddfb1ca94"}','{"time":"2026-11-23T19:06:11.464Z","correlation_id":"req_01m84wtbm15cvf9r675jx3wqzk","causation_id":"c8e080c9-1deb-4b3c-a35c-0ccddfb1ca94"}',1795460771600);
INSERT INTO events VALUES(4,'template-tpl_01m84wtbm85hpd6xpyy1cdhz95','template',0,'9d5bfd90-d3d1-80f5-9a98-953129a4f9bb','TemplateCreated','{"owner_id":"own_default","slug":"label","name":"Label","html":"<h1>{{n}}</h1>","sample_data":{"n":1}}','{"time":"2026-11-23T19:06:11.464Z","correlation_id":"req_01m84wtbm15cvf9r675jx3wqzk","causation_id":"c8e080c9-1deb-4b3c-a35c-0ccddfb1ca94","api_key_id":"key_w0saf6bvk5kb795mnkc7jr7brc"}',1795460771626);
INSERT INTO events VALUES(5,'template-tpl_01m84wtbm85hpd6xpyy1cdhz95','template',1,'f362f3c3-5472-8b52-b4d8-8a4c4b124eec','TemplateUpdated','{"owner_id":"own_default","slug":"label","created_at":"2026-11-23T19:06:11.464Z","name":"Label","html":"<h2>{{n}}</h2>","sample_data":{"n":1},"changed":["html"]}','{"time":"2026-11-23T19:06:11.724Z","correlation_id":"req_01m84wtbv84d3z96zep12m6rzd","causation_id":"e2de69a5-d724-4a92-ad91-6764ee495f6e","api_key_id":"key_w0saf6bvk5kb795mnkc7jr7brc"}',1795460771833);
INSERT INTO events VALUES(6,'generation-pdf_01m84wtc6053mqtj88wnwwdhsp','generation',0,'f6b2ad36-2f22-807c-aaf0-db37d91380bf','GenerationRequested','{"owner_id":"own_default","api_key_id":"key_w0saf6bvk5kb795mnkc7jr7brc","template":{"id":"tpl_01m84wtbm85hpd6xpyy1cdhz95","version":2,"slug":"label"},"metadata":{"order":"7"},"options":{"format":"A4","landscape":false,"margin":{"top":20,"bottom":20,"left":15,"right":15},"print_background":true,"scale":1,"javascript":"auto"}}','{"time":"2026-11-23T19:06:12.054Z","correlation_id":"req_01m84wtc4p8pn5tm920htnmwxy","causation_id":"e7b6ce33-393e-43f5-94ef-4bb54ac23142"}',1795460772233);
INSERT INTO events VALUES(7,'generation-pdf_01m84wtc6053mqtj88wnwwdhsp','generation',1,'3b980f6e-0fca-8f5a-81cb-b82996cff952','GenerationStarted','{"renderer":"single-node@host:4192-760f7040ab3c9fe0"}','{"time":"2026-11-23T19:06:12.114Z","correlation_id":"req_01m84wtc4p8pn5tm920htnmwxy","causation_id":"e7b6ce33-393e-43f5-94ef-4bb54ac23142"}',1795460772233);
INSERT INTO events VALUES(8,'generation-pdf_01m84wtc6053mqtj88wnwwdhsp','generation',2,'fd44d3ea-32e8-8f1e-9a69-6d5cb8e83ed7','GenerationCompleted','{"object_key":"pdfs/pdf_01m84wtc6053mqtj88wnwwdhsp.9a78777d7e6935fd.pdf","pages":1,"size":4784,"sha256":"6eece5ab2cbbeb7e9ee1561c892be72af32b576c55890e882b0f0c33feff6a0e","duration_ms":360,"phases":{"queue_ms":60,"template_ms":39,"print_ms":235,"store_ms":86},"engine":{"name":"chromium","version":"156.0.8078.79","mode":"static"},"warnings":[]}','{"time":"2026-11-23T19:06:12.476Z","correlation_id":"req_01m84wtc4p8pn5tm920htnmwxy","causation_id":"e7b6ce33-393e-43f5-94ef-4bb54ac23142"}',1795460772477);
CREATE TABLE store(token TEXT NOT NULL) STRICT;
INSERT INTO store VALUES('2cdc7c8b');
CREATE INDEX events_category ON events(category, position);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT raise(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT raise(ABORT, 'events are never deleted'); END;
PRAGMA user_version = 1;
