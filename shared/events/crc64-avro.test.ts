import { expect, it } from 'vitest';
import { crc64Avro } from './crc64-avro.ts';

// From the Avro specification's own test data (share/test/data/schema-tests.txt).
it.each([
  ['"null"', 7195948357588979594n],
  ['"boolean"', -6970731678124411036n],
  ['"int"', 8247732601305521295n],
  ['"long"', -3434872931120570953n],
  ['"float"', 5583340709985441680n],
  ['"double"', -8181574048448539266n],
  ['"bytes"', 5746618253357095269n],
  ['"string"', -8142146995180207161n],
  ['{"name":"foo","type":"fixed","size":15}', 1756455273707447556n],
  [
    '{"name":"PigValue","type":"record","fields":[{"name":"value","type":["null","int","long","PigValue"]}]}',
    -1759257747318642341n,
  ],
])('computes the published fingerprint of %s', (schema, fingerprint) => {
  expect(BigInt.asIntN(64, crc64Avro(schema))).toBe(fingerprint);
});
