import { describe, expect, it } from 'vitest';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../../shared/domain/entity/stock/stock-definitions.ts';
import { isToldByHistory } from './past-values.ts';

const directory = createDirectory(stockDefinitions);
directory.apply({
  eventId: 'e',
  entityType: entityDefinitionType,
  recordId: 'Account',
  version: 1,
  type: 'Created',
  occurredAt: 0,
  actorId: 'system',
  commandId: null,
  commandHash: null,
  correlationId: null,
  access: { assignedUserId: null, createdById: null, teamIds: [] },
  changes: [
    {
      attribute: 'fields',
      before: null,
      after: {
        stolen: {
          type: 'foreign',
          link: 'assignedUser',
          entityType: 'User',
          attribute: 'passwordHash',
        },
      },
    },
  ],
});

function told(entityType: string): readonly string[] {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`no ${entityType}`);
  return model.attributes
    .filter((attribute) => isToldByHistory(attribute, directory.entity))
    .map(({ name }) => name);
}

describe('a history', () => {
  it('tells ids and names of links, and values that come through them', () => {
    expect(told('Contact')).toEqual(
      expect.arrayContaining(['accountId', 'accountName', 'accountType', 'teamsIds', 'teamsNames']),
    );
  });

  it('tells no secret, whichever way', () => {
    expect(told('Account')).toContain('assignedUserName');
    expect(told('Account')).not.toContain('stolen');
    expect(told('User').filter((name) => /hash|key/i.test(name))).toEqual([]);
    expect(told('Webhook')).not.toContain('secretKey');
  });

  it('does not tell values that have no column', () => {
    expect(told('Contact')).not.toContain('accountIsInactive');
  });
});
