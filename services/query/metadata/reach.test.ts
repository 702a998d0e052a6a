import { describe, expect, it } from 'vitest';
import { findRoutes } from '../../../infra/console/find-routes.ts';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDescribeOpenApi } from '../openapi/description-routes.ts';
import { labels } from './labels.ts';
import { createMetadata, valueAtPath } from './metadata.ts';
import { isReached } from './reach.ts';

/** Returns a directory with a custom type that is linked with accounts in both directions and can be a parent of posts. */
function withSecretProject() {
  const directory = createDirectory(stockDefinitions);
  const define = (id: string, values: AttributeValues) =>
    directory.apply({ ...aCreation(entityDefinitionType, values), recordId: id });
  define('SecretProject', {
    template: 'BasePlus',
    stream: true,
    fields: {
      account: { type: 'link', entityType: 'Account', isCustom: true },
      contacts: { type: 'linkMultiple', entityType: 'Contact', isCustom: true },
    },
    links: {},
  });
  const deal = { type: 'link', entityType: 'SecretProject', isCustom: true };
  const dealName = { type: 'foreign', link: 'deal', attribute: 'name' };
  define('Account', {
    fields: { deal, dealName: { ...dealName, entityType: 'SecretProject', isCustom: true } },
    links: { works: { entityType: 'SecretProject', foreign: 'account' } },
  });
  define('Contact', {
    fields: {},
    links: { works: { entityType: 'SecretProject', foreign: 'contacts' } },
  });
  return directory;
}

function actorOf(data: AttributeValues) {
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values: { data } };
  return buildActor({ id: 'x', name: 'x', userName: 'x', type: 'api', teamIds: [] }, [role]);
}

const admin = buildActor({ id: 'a', name: 'a', userName: 'a', type: 'admin', teamIds: [] }, []);
const all = { read: 'all' };
const accounts = { Account: all, Contact: all, Task: all, OpenApi: true };
const directory = withSecretProject();
const metadata = createMetadata(directory);
const { document } = await findRoutes();
const describeApi = createDescribeOpenApi(directory, () => document);

async function documentsOf(actor: typeof admin) {
  const models = directory.entities().filter((model) => isReached(actor, model));
  return {
    Metadata: JSON.stringify(metadata(actor)),
    I18n: JSON.stringify(labels(models, directory.entity)),
    OpenApi: await describeApi(actor, { skipCustom: false, module: undefined }),
  };
}

describe('the definitions', () => {
  it.each(['Metadata', 'I18n', 'OpenApi'] as const)(
    'are missing from %s for entity types that a role excludes',
    async (document) => {
      const outside = (await documentsOf(actorOf(accounts)))[document];
      expect(outside).toContain('Account');
      expect(outside).not.toMatch(/secret ?project|works/i);
      expect((await documentsOf(actorOf({ ...accounts, SecretProject: all })))[document]).toMatch(
        /secret ?project/i,
      );
      expect((await documentsOf(admin))[document]).toMatch(/secret ?project/i);
    },
  );

  it('omit fields and links to excluded types and list the remaining parent types', () => {
    const tree = metadata(actorOf(accounts));
    const account = Object(valueAtPath(tree, 'entityDefs.Account'));
    expect(Object.keys(account.fields)).not.toEqual(expect.arrayContaining(['deal']));
    expect(account.fields).not.toHaveProperty('dealName');
    expect(account.links).not.toHaveProperty('works');
    expect(account.links).not.toHaveProperty('opportunities');
    expect(account.links.contacts).toMatchObject({ entity: 'Contact' });
    expect(valueAtPath(tree, 'entityDefs.Task.fields.parent.entityList')).toEqual([
      'Account',
      'Contact',
    ]);
    expect(valueAtPath(metadata(admin), 'entityDefs.Account.fields.dealName.type')).toBe('foreign');
  });

  it("list the actor's scopes that have no records", () => {
    const scopes = Object(metadata(actorOf(accounts))['scopes']);
    expect(scopes.OpenApi).toMatchObject({ entity: false, acl: 'boolean' });
    expect(scopes).not.toHaveProperty('GlobalStream');
    expect(scopes).not.toHaveProperty('Currency');
    expect(Object(metadata(admin)['scopes'])).toMatchObject({
      GlobalStream: { acl: 'boolean' },
      Currency: { aclLevelList: ['yes', 'no'] },
      SecretProject: { type: 'BasePlus', entity: true, isCustom: true },
      Account: { lockable: false },
    });
  });

  it.each([
    ['Account', 'Company'],
    ['Contact', 'Person'],
    ['Lead', 'Person'],
    ['Meeting', 'Event'],
    ['Call', 'Event'],
    ['Task', 'Base'],
    ['Opportunity', 'Base'],
    ['User', undefined],
  ])('describe %s as a %s', (name, type) => {
    expect(valueAtPath(metadata(admin), `scopes.${name}.type`)).toBe(type);
  });

  it('describe the columns of a many-to-many link identically on both sides', () => {
    const at = (path: string) => valueAtPath(metadata(admin), `entityDefs.${path}`);
    const relationName = 'contactAccounts';
    const additionalColumns = { role: { type: 'varchar', len: 100 }, isInactive: { type: 'bool' } };
    expect(at('Account.links.contacts')).toMatchObject({
      relationName,
      additionalColumns,
      columnAttributeMap: { role: 'accountRole', isInactive: 'accountIsInactive' },
    });
    expect(at('Contact.links.accounts')).toMatchObject({
      relationName,
      additionalColumns,
      columnAttributeMap: { role: 'contactRole', isInactive: 'contactIsInactive' },
    });
    expect(at('Contact.links.works')).toMatchObject({ relationName: 'secretProjectContacts' });
    expect(at('Account.links.works')).not.toHaveProperty('relationName');
    expect(at('Account.fields.contactRole')).toMatchObject({ notStorable: true });
  });
});
