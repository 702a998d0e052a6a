import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { type EmailKind, HOUR_MS } from './queued-email.ts';
import { limitsOf, requireWithinLimits } from './require-within-limits.ts';

function emailsAfter(...given: readonly (AttributeValues & { readonly id: string })[]) {
  const directory = createDirectory(stockDefinitions);
  for (const { id, ...values } of given) {
    const isNew = directory.record('QueuedEmail', id) === undefined;
    const event = aCreation(
      'QueuedEmail',
      isNew
        ? { kind: 'test', status: 'queued', userId: 'ann', nextAttemptAtMs: 0, ...values }
        : values,
      { recordId: id, type: isNew ? 'Created' : 'Updated' },
    );
    directory.apply({ ...event, occurredAt: Number(values['atMs'] ?? values['queuedAtMs'] ?? 0) });
  }
  return { ...directory.emails, directory };
}

const passwordRequest = (idHash: string, expiresAtMs: number) => ({
  passwordRequest: { idHash, passwordMark: 'mark', expiresAtMs, url: null },
});
const finding = (phase: string) => ({
  finding: { key: 'disk', phase, part: 'disk', says: 'disk: full' },
});

describe('e-mails in the directory', () => {
  it('are due at their time, the longest due first, until they have ended', () => {
    const emails = emailsAfter(
      { id: 'one', queuedAtMs: 1, nextAttemptAtMs: 30 },
      { id: 'two', queuedAtMs: 2, nextAttemptAtMs: 20 },
      { id: 'three', queuedAtMs: 3, nextAttemptAtMs: 10 },
      { id: 'three', status: 'sent', atMs: 4 },
    );
    expect(emails.due(25).map(({ id }) => id)).toEqual(['two']);
    expect(emails.due(30).map(({ id }) => id)).toEqual(['two', 'one']);
    expect(emails.recent().map(({ id }) => id)).toEqual(['one', 'two', 'three']);
    expect(emails.directory.revision()).toBe(0);
  });

  it('are dropped a day after they were queued if they have ended', () => {
    const day = 24 * HOUR_MS;
    const emails = emailsAfter(
      { id: 'queued', queuedAtMs: 1 },
      { id: 'sent', queuedAtMs: 1, status: 'sent' },
      { id: 'late', queuedAtMs: day + 2 },
    );
    expect(emails.recent().map(({ id }) => id)).toEqual(['queued', 'late']);
    expect(emails.directory.record('QueuedEmail', 'sent')).toBeUndefined();
  });

  it('contain reminders that have ended for two hours', () => {
    const reminder = { kind: 'reminder', queuedAtMs: 1, status: 'sent' };
    const idsAt = (queuedAtMs: number) =>
      emailsAfter({ id: 'reminder', ...reminder }, { id: 'other', queuedAtMs })
        .recent()
        .map(({ id }) => id);
    expect(idsAt(2 * HOUR_MS + 1)).toEqual(['reminder', 'other']);
    expect(idsAt(2 * HOUR_MS + 2)).toEqual(['other']);
  });

  it('contain the latest link of a user until it expires, even after the e-mail is dropped', () => {
    const day = 24 * HOUR_MS;
    const emails = emailsAfter(
      { id: 'one', queuedAtMs: 1, ...passwordRequest('first', 2 * day) },
      { id: 'two', queuedAtMs: 2, ...passwordRequest('second', 2 * day), status: 'sent' },
      { id: 'other', queuedAtMs: day + 3, userId: 'bob' },
    );
    expect(emails.passwordRequestByHash('first')).toBeUndefined();
    expect(emails.passwordRequestByHash('second')?.id).toBe('two');
    expect(emails.passwordRequestOf('ann')?.id).toBe('two');
    expect(emails.passwordRequestOf('bob')).toBeUndefined();
    const later = emailsAfter(
      { id: 'one', queuedAtMs: 1, ...passwordRequest('first', 5) },
      { id: 'two', queuedAtMs: 60_001 },
    );
    expect(later.passwordRequestByHash('first')).toBeUndefined();
  });

  it('contain the findings that a user was notified of and that are not gone', () => {
    const appeared = { id: 'one', queuedAtMs: 1, ...finding('appeared') };
    expect(emailsAfter(appeared).openFindingsOf('ann')).toEqual([
      { key: 'disk', phase: 'appeared', part: 'disk', says: 'disk: full' },
    ]);
    const emails = emailsAfter(appeared, { id: 'two', queuedAtMs: 2, ...finding('gone') });
    expect(emails.openFindingsOf('ann')).toEqual([]);
    expect(emails.latestAbout('ann', 'disk')?.id).toBe('two');
    expect(emails.latestAbout('bob', 'disk')).toBeUndefined();
  });
});

describe('the limits for e-mails', () => {
  const many = (count: number, recipientHash: (nth: number) => string, values = {}) =>
    emailsAfter(
      ...Array.from({ length: count }, (_, nth) => ({
        id: `mail ${nth}`,
        queuedAtMs: 1,
        status: 'sent',
        recipientHash: recipientHash(nth),
        ...values,
      })),
    ).recent();

  const to = (recipientHash: string, kind: EmailKind = 'test') => ({ kind, recipientHash });

  it('allow a number per recipient and hour', () => {
    const full = many(limitsOf('test').perRecipient, () => 'ann');
    expect(() => requireWithinLimits(full.slice(1), to('ann'), 2)).not.toThrow();
    expect(() => requireWithinLimits(full, to('bob'), 2)).not.toThrow();
    expect(() => requireWithinLimits(full, to('ann'), 2)).toThrow('to one address');
    expect(() => requireWithinLimits(full, to('ann'), 2 + HOUR_MS)).not.toThrow();
  });

  it('allow a number in total per hour and in the queue', () => {
    const { perHour, queued: maxQueued } = limitsOf('test');
    const sent = many(perHour, String);
    expect(() => requireWithinLimits(sent, to('ann'), 2)).toThrow('per hour');
    expect(() => requireWithinLimits(sent, to('ann'), 2 + HOUR_MS)).not.toThrow();
    const queued = many(maxQueued, String, { status: 'queued' });
    expect(() => requireWithinLimits(queued, to('ann'), 2 + HOUR_MS)).toThrow('are waiting');
  });

  it('count opt-ins separately, and allow three per address and day', () => {
    const { perHour } = limitsOf('optIn');
    const optIns = many(perHour, String, { kind: 'optIn', status: 'queued', userId: null });
    expect(() => requireWithinLimits(optIns, to('ann', 'optIn'), 2)).toThrow('per hour');
    expect(() => requireWithinLimits(optIns, to('ann'), 2)).not.toThrow();
    const toAnn = many(3, () => 'ann', { kind: 'optIn', userId: null });
    const later = 2 + 23 * HOUR_MS;
    expect(() => requireWithinLimits(toAnn, to('ann', 'optIn'), later)).toThrow('per day');
    expect(() => requireWithinLimits(toAnn, to('bob', 'optIn'), later)).not.toThrow();
    expect(() => requireWithinLimits(toAnn, to('ann'), later)).not.toThrow();
  });
});
