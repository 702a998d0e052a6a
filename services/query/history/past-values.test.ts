import { describe, expect, it } from 'vitest';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { isShownInHistory } from './past-values.ts';

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

function shownNames(entityType: string): readonly string[] {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`unknown entity type ${entityType}`);
  return model.attributes
    .filter((attribute) => isShownInHistory(attribute, directory.entity))
    .map(({ name }) => name);
}

describe('the history', () => {
  it('shows ids and names of links and values read through links', () => {
    expect(shownNames('Contact')).toEqual(
      expect.arrayContaining(['accountId', 'accountName', 'accountType', 'teamsIds', 'teamsNames']),
    );
  });

  it('never shows a secret, even through a link', () => {
    expect(shownNames('Account')).toContain('assignedUserName');
    expect(shownNames('Account')).not.toContain('stolen');
    expect(shownNames('User').filter((name) => /hash|key/i.test(name))).toEqual([]);
    expect(shownNames('Webhook')).not.toContain('secretKey');
  });

  it('omits values that have no column', () => {
    expect(shownNames('Contact')).not.toContain('accountIsInactive');
  });
});
