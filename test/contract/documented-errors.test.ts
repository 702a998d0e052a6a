import { expect, it } from 'vitest';
import { findAll, readProjectFile, readSources } from './source-files.ts';

// Codes are arguments of `new Refusal(kind, …`, constants, and parts of the responses of shared/http.
const inCode =
  /'((?:access|action|activities|assignment|body|calendar|change|code|consistency_token|credentials|entity|entry|export|field|file|filter|finding|follower|idempotency_key|if_match|import|internal|kanban|layout|lead|link|list|login|logout_token|mail|mass_action|merge|note|order|parameter|password|path|preferences|rate|record|request|role|route|search|second_factor|service|session|sign_in|star|storage|stream|token|trace|undo|user|version_number|webhook|where|write)\.[a-z_]+)'/g;
/** Excludes sources that only describe errors, and the console, whose messages have similar names. */
const describing =
  /export const errorCodes =|export const errorGroups =|const ownBodies:|from '@(?:mantine|tabler)[/]/;
const inDocument = /^\| `([a-z_]+\.[a-z_]+)`/gm;

it('documents exactly the error codes that the code defines', () => {
  const throwing = readSources('services', 'shared').filter((text) => !describing.test(text));
  const codes = findAll(throwing, inCode);
  const documented = findAll([readProjectFile('docs/reference/errors.md')], inDocument);
  expect(codes.length).toBeGreaterThan(30);
  expect(documented).toEqual(codes);
});
