import { expect, it } from 'vitest';
import { crc64Avro } from './crc64-avro.ts';

// From the Avro specification's own test data (share/test/data/schema-tests.txt).
it.each([
  ['"null"', 7195948357588979594n],
  ['"int"', 8247732601305521295n],
])('fingerprints %s as published', (schema, fingerprint) => {
  expect(crc64Avro(schema)).toBe(fingerprint);
});
