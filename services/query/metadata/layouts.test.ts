import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, buildActor } from '../../../shared/domain/access/actor.ts';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { layoutNames } from '../../../shared/domain/entity/layout.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { viewFor } from '../../../shared/search/record-view.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { layoutOf } from './layouts.ts';
import { isReached } from './reach.ts';

const directory = createDirectory(stockDefinitions);
directory.apply({
  ...aCreation(entityDefinitionType, {
    fields: {
      score: { type: 'int', isCustom: true },
      plan: { type: 'jsonObject', isCustom: true },
    },
    links: {},
  }),
  recordId: 'Account',
});

const admin = buildActor({ id: 'a', name: 'a', userName: 'a', type: 'admin', teamIds: [] }, []);

function actorOf(values: AttributeValues): Actor {
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  return buildActor({ id: 'x', name: 'x', userName: 'x', type: 'api', teamIds: [] }, [role]);
}

function layoutIn(entityType: string, name: string, actor = admin): unknown {
  const model = directory.entity(entityType);
  if (model === undefined) throw new Error(`unknown entity type ${entityType}`);
  const findModel = directory.entity;
  const reached = directory.entities().filter((one) => isReached(actor, one));
  const reach = new Set(reached.map((one) => one.name));
  const view = viewFor(actor, model, findModel);
  return layoutOf({ actor, model, view, reach, findModel }, name, directory);
}

function layout(entityType: string, name: string, actor = admin): readonly unknown[] {
  return Object(layoutIn(entityType, name, actor));
}

/** Returns every field in the rows of panels. */
function fieldsIn(panels: readonly unknown[]): readonly string[] {
  return panels.flatMap((panel) => {
    const rows: readonly (readonly (false | { readonly name: string })[])[] = Object(panel).rows;
    return rows.flat().flatMap((cell) => (cell === false ? [] : [cell.name]));
  });
}

describe('layouts', () => {
  it('begin lists with the link to the record and its status', () => {
    expect(layout('Opportunity', 'list')).toEqual([
      { name: 'name', link: true },
      { name: 'stage' },
      { name: 'account' },
      { name: 'amount' },
      { name: 'closeDate' },
      { name: 'assignedUser' },
    ]);
    expect(layout('Opportunity', 'listSmall')).toEqual(layout('Opportunity', 'list').slice(0, 3));
    expect(layout('Webhook', 'list')[0]).toEqual({ name: 'event', link: true });
  });

  it('show the fields of a page in two columns, with addresses and long texts below', () => {
    expect(layout('Account', 'detail')).toEqual([
      {
        label: 'Overview',
        rows: [
          [{ name: 'name' }, { name: 'website' }],
          [{ name: 'emailAddress' }, { name: 'phoneNumber' }],
          [{ name: 'type' }, { name: 'industry' }],
          [{ name: 'sicCode' }, { name: 'score' }],
          [{ name: 'plan' }, false],
          [{ name: 'billingAddress' }, { name: 'shippingAddress' }],
          [{ name: 'description', fullWidth: true }],
        ],
      },
      {
        label: 'Record',
        rows: [
          [{ name: 'assignedUser' }, { name: 'teams' }],
          [{ name: 'createdAt' }, { name: 'createdBy' }],
          [{ name: 'modifiedAt' }, { name: 'modifiedBy' }],
        ],
      },
    ]);
    expect(layout('Contact', 'detail')).toContainEqual(
      expect.objectContaining({
        rows: expect.arrayContaining([[{ name: 'address', fullWidth: true }]]),
      }),
    );
  });

  it('show every field of a type that lists no fields for its page', () => {
    expect(layout('Team', 'detail')).toContainEqual({
      label: 'Overview',
      rows: expect.arrayContaining([[{ name: 'roles' }, false]]),
    });
    const user = fieldsIn(layout('User', 'detail'));
    expect(new Set(user).size).toBe(user.length);
    expect(user).toEqual(expect.arrayContaining(['name', 'userName', 'gender', 'createdAt']));
    for (const hidden of ['firstName', 'password', 'isFollowed']) {
      expect(user).not.toContain(hidden);
    }
  });

  it('show all required fields on pages', () => {
    for (const { name, definition } of directory.entities()) {
      const { fields, pageFields } = definition;
      if (pageFields === undefined) continue;
      const required = Object.keys(fields).filter((one) => fields[one]?.required === true);
      const shown = ['name', 'firstName', 'lastName', ...pageFields, 'assignedUser'];
      expect(shown, name).toEqual(expect.arrayContaining(required));
      expect(Object.keys(fields), name).toEqual(expect.arrayContaining([...pageFields]));
    }
  });

  it('show the required fields of a new record in small forms', () => {
    expect(fieldsIn(layout('Meeting', 'detailSmall'))).toEqual(
      expect.arrayContaining(['name', 'dateStart', 'dateEnd', 'assignedUser', 'teams']),
    );
    expect(layout('Meeting', 'detailSmall')).toHaveLength(1);
  });

  it('contain custom fields', () => {
    expect(layout('Account', 'list')).toContainEqual({ name: 'score' });
    expect(fieldsIn(layout('Account', 'detail'))).toContain('score');
    for (const name of ['filters', 'massUpdate'])
      expect(layout('Account', name)).toContain('score');
  });

  it('contain reminders and custom JSON fields only in views of a single record', () => {
    expect(fieldsIn(layout('Account', 'detail'))).toContain('plan');
    expect(fieldsIn(layout('Meeting', 'detail'))).toContain('reminders');
    expect(fieldsIn(layout('Call', 'detail'))).not.toContain('phoneNumbersMap');
    expect(JSON.stringify(layout('Meeting', 'list'))).not.toContain('reminders');
    for (const name of layoutNames.filter((one) => one !== 'detail')) {
      expect(JSON.stringify(layoutIn('Account', name))).not.toContain('"plan"');
    }
  });

  it('list the fields for filters and mass updates, and the links for panels', () => {
    const filters = layout('Document', 'filters');
    expect(filters).toEqual(expect.arrayContaining(['name', 'status', 'publishDate', 'teams']));
    expect(filters).not.toContain('file');
    expect(layout('TargetList', 'filters')).not.toContain('entryCount');
    const changed = layout('Contact', 'massUpdate');
    expect(changed).toEqual(expect.arrayContaining(['title', 'doNotCall', 'assignedUser']));
    for (const alone of ['name', 'emailAddress', 'createdAt']) {
      expect(changed).not.toContain(alone);
    }
    expect(layout('User', 'massUpdate')).toEqual([]);
    const related = layout('Account', 'relationships');
    expect(related).toEqual(expect.arrayContaining(['contacts', 'opportunities', 'tasks']));
    for (const other of ['teams', 'campaign', 'createdBy']) expect(related).not.toContain(other);
  });

  it('contain only fields and links that a role permits', () => {
    const closed = { read: 'no', edit: 'no' };
    const fixed = { read: 'yes', edit: 'no' };
    const narrow = actorOf({
      data: { Account: { read: 'all', edit: 'all' }, Contact: { read: 'own' } },
      fieldData: { Account: { website: closed, sicCode: fixed }, Contact: { accounts: closed } },
      massUpdatePermission: 'yes',
    });
    for (const name of layoutNames) {
      const text = JSON.stringify(layoutIn('Account', name, narrow));
      expect([name, text]).toEqual([
        name,
        expect.not.stringMatching(/"(?:website|campaign|tasks)"/),
      ]);
    }
    expect(layout('Account', 'filters', narrow)).toContain('sicCode');
    expect(layout('Account', 'massUpdate', narrow)).not.toContain('sicCode');
    expect(layout('Account', 'massUpdate', narrow)).toContain('industry');
    expect(layout('Account', 'relationships', narrow)).toEqual(['contactsPrimary']);
    expect(layout('Contact', 'massUpdate', narrow)).toEqual([]);
    const withoutMassUpdate = actorOf({ data: { Account: { read: 'all', edit: 'all' } } });
    expect(layout('Account', 'massUpdate', withoutMassUpdate)).toEqual([]);
    expect(fieldsIn(layout('User', 'detail', withoutMassUpdate))).not.toContain('gender');
  });

  it('do not exist under unknown names', () => {
    for (const name of ['other', 'constructor', '__proto__']) {
      expect(() => layout('Account', name)).toThrow(`Unknown layout '${name}'.`);
    }
  });

  it('are also generated for the panel names that clients request', () => {
    expect(layoutIn('Account', 'kanban')).toEqual(layout('Account', 'listSmall'));
    expect(layoutIn('Account', 'sidePanelsDetail')).toEqual({});
    expect(layoutIn('Account', 'bottomPanelsEdit')).toBe(false);
    expect(layoutIn('Account', 'bottomPanelsDetail')).toMatchObject({
      contacts: { name: 'contacts', index: expect.any(Number) },
    });
    expect(layoutIn('Case', 'defaultSidePanel')).toEqual([
      { name: ':assignedUser' },
      { name: 'teams' },
      { name: 'collaborators' },
    ]);
  });
});

describe('stored layouts', () => {
  const panel = (name: string) => ({ label: 'One', rows: [[{ name }, { name: 'name' }], [false]] });
  const stored = {
    list: [{ name: 'name', link: true }, { name: 'website', width: 20 }, { name: 'ownView' }],
    detail: [panel('website')],
    filters: ['website', 'industry'],
    relationships: ['contacts', { name: 'tasks' }],
    bottomPanelsDetail: { tasks: { index: 1 }, contacts: { index: 2 }, _tabBreak_0: { index: 0 } },
  };
  const scores = { score: { type: 'int', isCustom: true }, plan: { type: 'jsonObject' } };

  beforeAll(() => {
    const values = { fields: scores, links: {}, layouts: stored };
    directory.apply({ ...aCreation(entityDefinitionType, values), recordId: 'Account' });
  });

  it('replace the generated ones', () => {
    for (const [name, value] of Object.entries(stored)) {
      expect(layoutIn('Account', name)).toEqual(value);
    }
    expect(layoutIn('Account', 'listSmall')).not.toEqual(stored.list);
  });

  it('omit fields and links that are hidden from the user', () => {
    const narrow = actorOf({
      data: { Account: { read: 'all', edit: 'all' }, Contact: { read: 'own' } },
      fieldData: { Account: { website: { read: 'no', edit: 'no' } } },
    });
    const shown = (name: string) => layoutIn('Account', name, narrow);
    expect(shown('list')).toEqual([{ name: 'name', link: true }, { name: 'ownView' }]);
    expect(shown('detail')).toEqual([{ label: 'One', rows: [[false, { name: 'name' }], [false]] }]);
    expect(shown('filters')).toEqual(['industry']);
    expect(shown('relationships')).toEqual(['contacts']);
    expect(shown('bottomPanelsDetail')).toEqual({
      contacts: { index: 2 },
      _tabBreak_0: { index: 0 },
    });
  });
});
