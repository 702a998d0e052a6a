import { describe, expect, it } from 'vitest';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { encodeEvent, encodeFence } from '../../../shared/events/log-entry-codec.ts';
import { hashPassword } from '../../../shared/secrets/password-hash.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { aCreation, anUpdateAfter } from '../../../test/support/builders/record-event-builder.ts';
import { describeEntry } from './describe-entry.ts';

const written = { token: 'writer', sequence: 1 };
const sealed = createSecretBox('ab'.repeat(32)).seal('a secret key');

const describeCreation = (entityType: string, values: AttributeValues, isDirectory: boolean) => {
  const bytes = encodeEvent({ ...aCreation(entityType, values), ...written });
  const described = describeEntry(bytes, { isDirectory });
  if (described.kind !== 'event') throw new Error(described.kind);
  return new Map(described.event.changes.map(({ attribute, after }) => [attribute, after]));
};

describe('a quarantined entry', () => {
  it('is shown as an event with custom fields', () => {
    const values = { name: 'Acme', scoreCust: 2 };
    const event = { ...aCreation('Account', values), version: 7, ...written };
    expect(describeEntry(encodeEvent(event), { isDirectory: false })).toEqual({
      kind: 'event',
      event,
    });
  });

  it('is shown as a fence', () => {
    const fence = { token: 'b', prevToken: 'a', owner: 'api', address: 'http://a', occurredAt: 5 };
    expect(describeEntry(encodeFence(fence), { isDirectory: false })).toEqual({
      kind: 'fence',
      fence,
    });
  });

  it('hides user secrets and all potentially secret attributes of the directory', () => {
    const user = describeCreation('User', { userName: 'ann', apiKey: sealed, newKey: 'x' }, true);
    expect([...user]).toEqual([
      ['userName', 'ann'],
      ['apiKey', '(not shown)'],
      ['newKey', '(not shown)'],
    ]);
    const login = describeCreation('AuthToken', { userId: 'ann', tokenHash: 'hash' }, true);
    expect(new Set(login.values())).toEqual(new Set(['(not shown)']));
    const factor = describeCreation('SecondFactor', { totpSecret: sealed }, true);
    expect([...factor]).toEqual([['totpSecret', '(not shown)']]);
  });

  it('also hides previous values of secrets', () => {
    const created = aCreation('User', { userName: 'ann', passwordHash: 'first hash' });
    const event = { ...anUpdateAfter(created, { passwordHash: 'second hash' }), ...written };
    const text = JSON.stringify(describeEntry(encodeEvent(event), { isDirectory: true }));
    expect(text).toContain('(not shown)');
    expect(text).not.toMatch(/first|second/);
  });

  it.each([
    ['not Avro', { kind: 'unreadable', text: 'not Avro' }],
    ['', { kind: 'unreadable', text: '' }],
    ['a\u001b[31m', { kind: 'unreadable', hex: '611b5b33316d' }],
  ])('is shown as text only if it is printable UTF-8: %j', (text, described) => {
    expect(describeEntry(Buffer.from(text), { isDirectory: false })).toEqual(described);
  });

  it('is otherwise shown in hex without sealed texts and password hashes', async () => {
    const hash = await hashPassword('secret');
    const newer = Buffer.from(
      `c301ffffffffffffffff${Buffer.from(`${hash} ${sealed}`).toString('hex')}`,
      'hex',
    );
    const described = describeEntry(newer, { isDirectory: true });
    expect(described).toEqual({
      kind: 'unreadable',
      hex: `c301ffffffffffffffff${'2a'.repeat(hash.length)}20${'2a'.repeat(sealed.length)}`,
    });
  });
});
