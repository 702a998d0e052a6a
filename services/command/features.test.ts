import { describe, expect, it } from 'vitest';
import { Refusal } from '../../shared/domain/errors.ts';
import { commands } from './features.ts';

type AnyCommand = (typeof commands)[number];
type Name = AnyCommand['name'];
type BodyOf<Of extends Name> = ReturnType<Extract<AnyCommand, { readonly name: Of }>['readBody']>;

/** Bodies that instances of earlier versions send, by command. A command that reads any object needs no entry. */
const golden: { readonly [Of in Name]?: readonly BodyOf<Of>[] } = {
  'queue-email': [
    {
      email: {
        kind: 'passwordReset',
        userId: 'u',
        recipientHash: 'r',
        content: 'sealed',
        expiresAtMs: 2,
        passwordRequest: { idHash: 'h', passwordMark: 'm', expiresAtMs: 2, url: null },
        finding: null,
      },
      atMs: 1,
      replacesRequest: false,
    },
  ],
  'start-email-attempt': [{ attempts: 0, atMs: 1 }],
  'end-email-attempt': [
    { attempt: 1, atMs: 2, kind: 'failed', reason: '550', isPermanent: true },
    { attempt: 1, atMs: 2, kind: 'sent' },
  ],
  create: [{ name: 'Acme', teamsIds: ['t'], website: null, more: { a: [1] } }],
  update: [{ name: 'Acme' }],
  remove: [{}],
  restore: [{}],
  discard: [{}],
  link: [
    { field: 'contacts', ids: ['c'], entityType: 'Contact' },
    {
      field: 'account',
      ids: ['a'],
      entityType: 'Account',
      side: 'foreign',
      keepsLinked: true,
      isNew: true,
    },
    {
      field: 'targetLists',
      ids: ['l'],
      entityType: 'TargetList',
      side: 'foreign',
      columnsOf: 'source',
      isNew: true,
    },
  ],
  unlink: [{ field: 'account', ids: ['a'], entityType: 'Account', side: 'foreign' }],
  convert: [
    {
      actorId: 'ann',
      linked: { Meeting: ['m'] },
      records: { Account: { id: 'a', name: null, body: { name: 'Acme' } } },
      duplicates: [{ id: 'd', name: 'Acme', _entityType: 'Account' }],
    },
    { actorId: 'ann', records: {}, duplicates: [] },
  ],
  'convert-link': [{ leadId: 'l', records: { Account: 'a', Contact: 'c' } }],
  'convert-end': [
    {
      actorId: 'ann',
      records: {
        Contact: { id: 'c', name: 'Ann', body: { lastName: 'Ann' } },
        Opportunity: { id: 'o', name: 'Deal', body: {} },
      },
      linked: { Call: ['x'] },
    },
  ],
  'convert-currency': [{ targetCurrency: 'EUR' }],
  'set-rates': [{ EUR: 1.1, GBP: 1.3 }],
  'change-settings': [{ personNameFormat: 'lastFirst' }],
  'set-scim-token': [{ tokenHash: 'h' }, { tokenHash: null }],
  'provision-user': [
    { providerId: 'p', userId: 'u', userName: 'Ann', externalId: 'x', isRemoved: false },
    { providerId: 'p', userId: 'u', userName: 'Ann', externalId: null, isRemoved: true },
  ],
  'change-provisioned-membership': [{ groupId: 'g', isMember: true }],
  'save-provisioned-group': [
    { providerId: 'p', displayName: 'Sales', externalId: null },
    { providerId: 'p', displayName: 'Sales', externalId: 'x' },
  ],
  'link-identity': [
    { issuer: 'https://login.example', subject: '1', accountName: 'ann', userId: 'ann' },
  ],
  define: [
    { kind: 'createEntity', entityType: 'Ship', body: { name: 'Ship', type: 'Base' } },
    { kind: 'resetField', entityType: 'Account', body: { scope: 'Account', name: 'website' } },
    { kind: 'removeLink', entityType: 'Ship', body: { entity: 'Ship', link: 'owner' } },
  ],
  layout: [
    { names: ['list'], layout: [{ name: 'name', link: true }] },
    { names: ['bottomPanelsDetail', 'relationships'], layout: null },
  ],
  'renew-capture-key': [{}],
  'request-opt-in': [{ captureId: 'c', content: 'v1.sealed', expiresAtMs: 1 }],
  'confirm-opt-in': [{ atMs: 1 }],
  'expire-opt-in': [{ atMs: 1 }],
  'set-acceptance': [{ status: 'Accepted' }],
  grant: [{ scope: 'Ship', levels: { create: 'yes', read: 'all' } }],
  upload: [
    {
      name: 'a.txt',
      type: 'text/plain',
      field: 'file',
      relatedType: 'Document',
      parentType: null,
      role: 'Attachment',
      size: 3,
      sha256: 'ab',
    },
  ],
  'issue-token': [{ userId: 'ann', tokenHash: 'h', secretHash: null, issuedAtMs: 1 }],
  'note-token-use': [{ usedAtMs: 2 }],
  'revoke-token': [{}],
  'change-second-factor': [{ totpSecret: null }, { lastStep: 7 }],
  'accept-recovery-code': [{ recoveryHash: 'ab' }],
  'change-credentials': [{ passwordHash: 'new', expected: { passwordHash: 'old' } }],
  'mass-action': [
    {
      kind: 'decide',
      runner: 'r',
      planned: {
        entityType: 'Lead',
        action: 'update',
        data: { values: { status: 'New' } },
        isByIds: true,
        ids: ['1', '2'],
      },
    },
    { kind: 'take', runner: 'r' },
    { kind: 'renew', runner: 'r', processedCount: 3 },
    { kind: 'cancel', cancelledById: 'ann' },
    {
      kind: 'end',
      runner: 'r',
      status: 'Stopped',
      reason: 'user.inactive',
      processedCount: 0,
      skippedIds: [],
    },
    {
      kind: 'end',
      runner: 'r',
      status: 'Success',
      processedCount: 3,
      skippedIds: ['2'],
      skipped: [{ reason: 'access.denied', count: 1, ids: ['2'] }],
    },
  ],
  merge: [
    {
      plan: { id: 'm', actorId: 'ann', sourceIds: ['s'], seen: { s: null } },
      update: {
        values: { accountId: 'a', name: 'Ann' },
        links: {
          values: { accountName: 'Acme' },
          unreadable: [
            {
              idAttribute: 'accountId',
              ids: ['a'],
              refusal: {
                kind: 'forbidden',
                code: 'link.forbidden',
                detail: { messageTranslation: { label: 'l', scope: null, data: {} } },
                message: 'No.',
              },
            },
          ],
        },
      },
      sources: [{ teamsIds: ['t'] }],
      previous: null,
    },
  ],
  relink: [{ entityType: 'Contact', from: ['s'], to: 't' }],
  'merge-away': [{ id: 'm', actorId: 'ann', sourceIds: ['s'], seen: { s: 'earlier' } }],
  'merge-end': [{ id: 'm', actorId: 'ann', sourceIds: ['s'], seen: { s: null } }],
  revert: [
    {
      changeId: 'Account/a/2',
      authorId: 'ann',
      at: 1_800_000_000_000,
      event: { entityType: 'Account', recordId: 'a', version: 2 },
      steps: ['ann:merge-m-'],
      first: ['Account/s'],
    },
    { changeId: 'MassAction/m', authorId: 'ann', at: 1, steps: ['ann:mass-m-'], first: [] },
  ],
  mark: [
    { entityType: 'Account', entityId: 'a', userId: 'ann', isFollowed: true },
    { entityType: 'Account', entityId: 'a', userId: 'ann', isStarred: false },
    { entityType: 'Note', entityId: 'n', userId: 'ann', reaction: { type: 'Like', isSet: true } },
  ],
  'mark-notifications': [{ read: [0, 5] }, { removedId: 'r.2' }],
  pin: [{ entityType: 'Account', entityId: 'a', noteId: 'n', isPinned: true, goneIds: ['g'] }],
  'rotate-secret': [{}],
  'switch-off': [{}],
  'start-replay': [{ webhookId: 'w', from: 1, to: 2, dryRun: false }],
  'cancel-replay': [{}],
  'resume-replay': [{}],
  'run-queue': [{}],
  'acknowledge-finding': [
    { finding: 'ab12', code: 'kafka.oneBroker', reason: 'One machine.' },
    { finding: 'ab12', code: 'kafka.oneBroker', reason: null },
  ],
  repeat: [{ kind: 'not_found', code: 'a.b', message: 'No.', detail: { body: [1] } }],
};

describe.each(commands)('the command $name', ({ name, readBody }) => {
  it('has a unique name', () => {
    expect(commands.filter((other) => other.name === name)).toHaveLength(1);
  });

  it('reads the bodies of all earlier versions unchanged', () => {
    for (const body of golden[name] ?? [{}]) {
      const text = JSON.stringify(body);
      expect(JSON.stringify(readBody(JSON.parse(text)))).toBe(text);
    }
  });

  it('rejects invalid bodies', () => {
    for (const body of ['text', null, []]) {
      expect(() => readBody(body as never)).toThrow(Refusal);
    }
  });
});

describe('a body with the rejection of an earlier version', () => {
  const refusal = { kind: 'not_found', code: 'a.b', message: 'No.', detail: { body: [1] } };

  it.each([
    ['merge', { refusal }],
    ['mass-action', { kind: 'refuse', refusal }],
  ])('throws the rejection for the command %s', (wanted, body) => {
    const command = commands.find(({ name }) => name === wanted);
    expect(() => command?.readBody(body)).toThrow(expect.objectContaining(refusal));
  });
});

describe('a body with an invalid property', () => {
  it.each([
    ['mark', { entityType: 'Account', entityId: 'a' }, "'userId' of a command"],
    ['mark', { entityType: 'Account', entityId: 'a', userId: 'u', isFollowed: 1 }, "'isFollowed'"],
    ['link', { field: 'account', ids: 'a', entityType: 'Account' }, "'ids'"],
    ['link', { field: 'account', ids: [1], entityType: 'Account' }, "'ids'"],
    ['link', { field: 'account', ids: [], entityType: 'Account', side: 'left' }, "'side'"],
    ['set-rates', { EUR: '1' }, "'EUR'"],
    ['define', { kind: 'dropTable', entityType: 'Account', body: {} }, "'kind'"],
    ['grant', { scope: 'Ship', levels: 'all' }, "'levels'"],
    ['merge', { plan: { id: 'm', actorId: 'ann', sourceIds: [] } }, "'seen'"],
    ['mass-action', { kind: 'fly' }, "'kind'"],
    ['upload', { name: 'a', type: 'text/plain', size: '3' }, "'size'"],
    ['start-replay', { webhookId: 'w', from: 'now' }, "'from'"],
  ])('is rejected for %s with the name of the property: %j', (wanted, body, part) => {
    const command = commands.find(({ name }) => name === wanted);
    const read = () => command?.readBody(body);
    expect(read).toThrow(Refusal);
    expect(read).toThrow(part);
    expect(read).toThrow(expect.objectContaining({ kind: 'invalid', code: 'body.value_missing' }));
  });
});
