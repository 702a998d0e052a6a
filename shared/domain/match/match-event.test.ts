import { describe, expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { decideCreate } from '../record/decide.ts';
import { type RecordEvent, restoration } from '../record/record-event.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { switchActivity } from '../webhook/record/webhook.ts';
import { matchEvent } from './match-event.ts';

function directoryWith(...webhooks: readonly AttributeValues[]) {
  const directory = createDirectory(stockDefinitions);
  const put = (entityType: string, recordId: string, values: AttributeValues) =>
    directory.apply(event({ entityType, recordId, ...decideCreate(undefined, values) }));
  put('User', 'ann', { userName: 'ann', name: 'Ann' });
  webhooks.forEach((values, index) => {
    put('Webhook', `w${index}`, {
      entityType: 'Account',
      isActive: true,
      activity: switchActivity(null, true, [0n]),
      ...values,
    });
  });
  return directory;
}

function event(change: Partial<RecordEvent>): RecordEvent {
  return {
    eventId: 'e1',
    entityType: 'Account',
    recordId: 'a1',
    version: 2,
    type: 'Updated',
    occurredAt: 0,
    actorId: 'ann',
    commandId: null,
    commandHash: null,
    correlationId: null,
    access: { assignedUserId: null, createdById: 'ann', teamIds: [] },
    changes: [],
    ...change,
  };
}

const byAnn = {
  modifiedAt: '1970-01-01 00:00:00',
  modifiedById: 'ann',
  modifiedByName: 'Ann',
};
const at = { partition: 0, offset: 7n };
const renamed = event({ changes: [{ attribute: 'name', before: 'Acme', after: 'Emca' }] });
const moved = event({
  changes: [
    { attribute: 'billingAddressCity', before: 'Rome', after: 'Paris' },
    { attribute: 'billingAddressStreet', before: 'One', after: 'One' },
    { attribute: 'sicCode', before: '1', after: '2' },
  ],
});

describe('an update', () => {
  const directory = directoryWith(
    { event: 'Account.update', type: 'update' },
    { event: 'Account.fieldUpdate.billingAddress', type: 'fieldUpdate', field: 'billingAddress' },
    { event: 'Account.create', type: 'create' },
  );

  it('sends the changed attributes and the user who made the change', () => {
    const [match, ...others] = matchEvent(directory, { event: renamed, ...at });
    expect(match?.webhook.id).toBe('w0');
    expect(match?.data).toEqual({
      id: 'a1',
      name: 'Emca',
      ...byAnn,
    });
    expect(match?.previous).toEqual({ name: 'Acme' });
    expect(others).toEqual([]);
  });

  it('sends all attributes of a watched field and the user who made the change', () => {
    const matches = matchEvent(directory, { event: moved, ...at });
    expect(matches.map(({ webhook, data }) => [webhook.id, data])).toEqual([
      ['w0', expect.objectContaining({ billingAddressCity: 'Paris', sicCode: '2' })],
      ['w1', { id: 'a1', billingAddressCity: 'Paris', billingAddressStreet: 'One', ...byAnn }],
    ]);
    expect(matches.map(({ previous }) => previous)).toEqual([
      { billingAddressCity: 'Rome', sicCode: '1' },
      { billingAddressCity: 'Rome' },
    ]);
  });

  it('fires nothing if no value changed', () => {
    const same = event({ changes: [{ attribute: 'name', before: 'Acme', after: 'Acme' }] });
    expect(matchEvent(directory, { event: same, ...at })).toEqual([]);
  });
});

describe('a webhook', () => {
  it('receives the whole record after a creation and only the id after a deletion', () => {
    const directory = directoryWith(
      { event: 'Account.create', type: 'create' },
      { event: 'Account.delete', type: 'delete' },
    );
    const created = event({
      type: 'Created',
      version: 1,
      changes: [{ attribute: 'name', before: null, after: 'Acme' }],
    });
    const [creation] = matchEvent(directory, { event: created, ...at });
    expect(creation?.data).toMatchObject({ id: 'a1', name: 'Acme', deleted: false, website: null });
    const deletions = matchEvent(directory, { event: event({ type: 'Deleted' }), ...at });
    expect(deletions.map(({ data }) => data)).toEqual([{ id: 'a1' }]);
  });

  it('receives an update when a record is restored', () => {
    const directory = directoryWith(
      { event: 'Account.create', type: 'create' },
      { event: 'Account.update', type: 'update' },
      { event: 'Account.fieldUpdate.name', type: 'fieldUpdate', field: 'name' },
    );
    const matches = matchEvent(directory, { event: event({ changes: [restoration] }), ...at });
    expect(matches).toMatchObject([
      {
        webhook: { id: 'w1' },
        data: { id: 'a1', deleted: false, ...byAnn },
        previous: { deleted: true },
      },
    ]);
  });

  it('receives no earlier events and, with skipOwn, no changes by its own user', () => {
    const activity = switchActivity(null, true, [8n]);
    const directory = directoryWith(
      { event: 'Account.update', type: 'update', activity },
      { event: 'Account.update', type: 'update', userId: 'ann', skipOwn: true },
    );
    expect(matchEvent(directory, { event: renamed, ...at })).toEqual([]);
    const later = matchEvent(directory, { event: renamed, partition: 0, offset: 8n });
    expect(later.map(({ webhook }) => webhook.id)).toEqual(['w0']);
  });
});
