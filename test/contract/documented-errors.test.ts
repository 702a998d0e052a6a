import { expect, it } from 'vitest';
import { findAll, readProjectFile, readSources } from './source-files.ts';

// Codes stand behind `new Refusal(kind, …`, in constants of their own, and in the answers of shared/http.
const inCode =
  /'((?:access|action|activities|assignment|body|calendar|change|code|consistency_token|credentials|entity|entry|export|field|file|filter|follower|idempotency_key|if_match|internal|layout|lead|link|list|login|mass_action|merge|note|order|parameter|password|path|rate|record|request|role|route|search|second_factor|service|session|star|storage|stream|token|user|version_number|webhook|where)\.[a-z_]+)'/g;
/** Sources that tell of errors and throw none, and those of the console, whose messages have such names, too. */
const describing =
  /export const errorCodes =|export const errorGroups =|const ownBodies:|from '@mantine[/]/;
const inDocument = /^\| `([a-z_]+\.[a-z_]+)`/gm;

it('documents every error code, and no other', () => {
  const throwing = readSources('services', 'shared').filter((text) => !describing.test(text));
  const codes = findAll(throwing, inCode);
  const documented = findAll([readProjectFile('docs/reference/errors.md')], inDocument);
  expect(codes.length).toBeGreaterThan(30);
  expect(documented).toEqual(codes);
});
