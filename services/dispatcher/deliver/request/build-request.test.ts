import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signBody } from './build-request.ts';

const keyOf = (bytes: Buffer) => createSecretKey(bytes);
const sign = (key: Buffer, body: Buffer) =>
  signBody({ body, webhookId: 'w1', batchId: 'b1', timestampSeconds: 1 }, [keyOf(key)]);

/** RFC 4231, section 4: key, data, HMAC-SHA-256. */
const rfc4231 = [
  {
    name: '1',
    key: Buffer.alloc(20, 0x0b),
    data: Buffer.from('Hi There'),
    hmac: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  },
  {
    name: '2, a key shorter than the hash',
    key: Buffer.from('Jefe'),
    data: Buffer.from('what do ya want for nothing?'),
    hmac: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  },
  {
    name: '3',
    key: Buffer.alloc(20, 0xaa),
    data: Buffer.alloc(50, 0xdd),
    hmac: '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  },
  {
    name: '4',
    key: Buffer.from('0102030405060708090a0b0c0d0e0f10111213141516171819', 'hex'),
    data: Buffer.alloc(50, 0xcd),
    hmac: '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  },
  {
    name: '6, a key longer than a block',
    key: Buffer.alloc(131, 0xaa),
    data: Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    hmac: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  },
  {
    name: '7, key and data longer than a block',
    key: Buffer.alloc(131, 0xaa),
    data: Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    hmac: '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  },
];

describe('the signatures of a body', () => {
  it.each(rfc4231)('agree with RFC 4231, case $name', ({ key, data, hmac }) => {
    const { xSignature, signature } = sign(key, data);
    expect(xSignature).toBe(Buffer.from(hmac, 'hex').toString('base64'));
    expect(Buffer.from(signature, 'base64').toString()).toBe(`w1:${hmac}`);
  });

  it('prefix the raw HMAC with the webhook id if configured', () => {
    const body = Buffer.from('[]');
    const content = { body, webhookId: 'w1', batchId: 'b1', timestampSeconds: 1 };
    const key = keyOf(Buffer.from('secret'));
    const { xSignature, ...others } = signBody({ ...content, xSignatureFormat: 'prefixed' }, [key]);
    const plain = signBody(content, [key]);
    const bytes = Buffer.from(xSignature, 'base64');
    expect(bytes.subarray(0, 3).toString()).toBe('w1:');
    expect(bytes.subarray(3).toString('base64')).toBe(plain.xSignature);
    expect(others).toEqual({ signature: plain.signature, standard: plain.standard });
  });

  it('agree with the example of the Standard Webhooks specification', () => {
    const { standard } = signBody(
      {
        body: Buffer.from('{"test": 2432232314}'),
        webhookId: 'w1',
        batchId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        timestampSeconds: 1614265330,
      },
      [keyOf(Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'))],
    );
    expect(standard).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('are accepted by a Standard Webhooks verifier with the base64 whsec_ secret', () => {
    const secretKey = '9f'.repeat(32);
    const body = Buffer.from('[{"id":"1"}]');
    const { standard } = signBody(
      { body, webhookId: 'w1', batchId: 'b1', timestampSeconds: 1_700_000_000 },
      [keyOf(Buffer.from(secretKey))],
    );
    const shown = `whsec_${Buffer.from(secretKey).toString('base64')}`;
    const headers = { id: 'b1', timestamp: '1700000000', signature: standard };
    expect(isValid(shown, headers, body.toString())).toBe(true);
    expect(isValid(shown, headers, `${body} `)).toBe(false);
    expect(isValid(shown, { ...headers, id: 'b2' }, body.toString())).toBe(false);
  });

  it('include one signature per secret during a rotation', () => {
    const keys = [keyOf(Buffer.from('new')), keyOf(Buffer.from('old'))] as const;
    const content = {
      body: Buffer.from('[]'),
      webhookId: 'w1',
      batchId: 'b1',
      timestampSeconds: 1,
    };
    const { standard } = signBody(content, keys);
    expect(standard.split(' ')).toEqual([
      signBody(content, [keys[0]]).standard,
      signBody(content, [keys[1]]).standard,
    ]);
  });
});

/** Implements the section "Verifying" of Standard Webhooks independently. */
function isValid(
  secret: string,
  headers: { readonly id: string; readonly timestamp: string; readonly signature: string },
  body: string,
): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${headers.id}.${headers.timestamp}.${body}`)
    .digest();
  return headers.signature.split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
