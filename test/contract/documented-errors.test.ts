import { expect, it } from 'vitest';
import { findAll, readProjectFile, readSources } from './source-files.ts';

// Codes stand behind `new Refusal(kind, …`, in constants of their own, and in the answers of shared/http.
const inCode =
  /'((?:access|action|assignment|body|change|code|consistency_token|credentials|entity|field|filter|follower|idempotency_key|if_match|internal|lead|link|list|login|mass_action|merge|note|order|parameter|password|path|rate|record|request|role|route|second_factor|service|star|stream|token|user|version_number|webhook|where)\.[a-z_]+)'/g;
const inDocument = /^\| `([a-z_]+\.[a-z_]+)`/gm;

it('documents every error code, and no other', () => {
  const codes = findAll(readSources('services', 'shared'), inCode);
  const documented = findAll([readProjectFile('docs/reference/errors.md')], inDocument);
  expect(codes.length).toBeGreaterThan(30);
  expect(documented).toEqual(codes);
});
