import { describe, expect, it } from 'vitest';
import { findRoutes } from '../../../infra/console/find-routes.ts';
import { type Actor, buildActor } from '../../../shared/domain/access/actor.ts';
import {
  createDirectory,
  type Directory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { deriveValues } from '../../../shared/domain/input/derive-values.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDescribeOpenApi } from './description-routes.ts';
import { exampleOf, requiredChoices } from './entity-schemas.ts';

const everything = { skipCustom: false, module: undefined } as const;

function actorOf(type: Actor['type'], data: AttributeValues = {}): Actor {
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values: { data } };
  return buildActor({ id: 'x', name: 'x', userName: 'x', type, teamIds: [] }, [role]);
}

function withCustom() {
  const directory = createDirectory(stockDefinitions);
  const define = (id: string, values: AttributeValues) =>
    directory.apply({ ...aCreation(entityDefinitionType, values), recordId: id });
  define('Project', { template: 'Base', fields: {}, links: {} });
  define('Account', {
    fields: { score: { type: 'int', min: 1, max: 5, label: 'Score', isCustom: true } },
    links: {},
  });
  return { directory, define };
}

const { document: routes } = await findRoutes();
const openApiOf = (directory: Directory) => createDescribeOpenApi(directory, () => routes);

const stock = createDirectory(stockDefinitions).entities();

describe('the description of the API', () => {
  it('documents 404 for a creation from a record that does not exist', async () => {
    const describeApi = openApiOf(createDirectory(stockDefinitions));
    const document = JSON.parse(await describeApi(actorOf('admin'), everything));
    const missing = (path: string) => {
      const { $ref } = document.paths[path].post.responses['404'];
      return JSON.stringify(document.components.responses[$ref.split('/').at(-1)].content);
    };
    expect(missing('/TargetList')).toContain('record.not_found');
    expect(missing('/Account')).not.toContain('record.not_found');
  });

  it.each([
    ['/Account/{id}/followers', '403', 'link.mass'],
    ['/User/action/restoreDeleted', '409', 'user.name_exists'],
    ['/Role/action/restoreDeleted', '400', 'role.invalid'],
    ['/Account/action/restoreDeleted', '409', 'merge.under_way'],
    ['/MassAction', '400', 'record.invalid'],
    ['/MassAction', '403', 'webhook.forbidden'],
  ])('documents %s with the response %s and the code %s', async (path, status, code) => {
    const describeApi = openApiOf(createDirectory(stockDefinitions));
    const document = JSON.parse(await describeApi(actorOf('admin'), everything));
    const { $ref } = document.paths[path].post.responses[status];
    const answer = document.components.responses[$ref.split('/').at(-1)];
    expect(JSON.stringify(answer.content)).toContain(`"${code}"`);
  });

  it('includes custom entity types and fields unless the client excludes them', async () => {
    const { directory, define } = withCustom();
    const describeApi = openApiOf(directory);
    const admin = actorOf('admin');
    const document = JSON.parse(await describeApi(admin, everything));
    expect(document.components.schemas.Account.properties.score).toEqual({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 5,
      description: 'Score',
    });
    expect(document.paths['/Project/{id}'].patch.operationId).toBe('updateProject');
    expect(document.webhooks['Project.create']).toBeDefined();

    const plain = JSON.parse(await describeApi(admin, { ...everything, skipCustom: true }));
    expect(plain.paths).not.toHaveProperty('/Project');
    expect(plain.components.schemas.Account.properties).not.toHaveProperty('score');
    const custom = JSON.parse(await describeApi(admin, { ...everything, module: 'Custom' }));
    expect(custom.paths).toHaveProperty('/Project');
    expect(custom.paths).not.toHaveProperty('/Account');

    define('Thing', { template: 'Base', fields: {}, links: {} });
    expect(JSON.parse(await describeApi(admin, everything)).paths).toHaveProperty('/Thing');
  });

  it('is generated once for all users with the same view', async () => {
    const { directory } = withCustom();
    const describeApi = openApiOf(directory);
    const text = await describeApi(actorOf('admin'), everything);
    expect(await describeApi(actorOf('admin'), everything)).toBe(text);
  });

  it('yields to the event loop while it is generated', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      pending = setImmediate(count);
    };
    let pending = setImmediate(count);
    await openApiOf(createDirectory(stockDefinitions))(actorOf('admin'), everything);
    clearImmediate(pending);
    expect(turns).toBeGreaterThan(100);
  });

  it('does not reveal entity types that a role excludes, even through links', async () => {
    const { directory } = withCustom();
    const describeApi = openApiOf(directory);
    const text = await describeApi(
      actorOf('api', { Account: { read: 'own' }, OpenApi: true }),
      everything,
    );
    const { paths } = JSON.parse(text);
    expect(paths).toHaveProperty('/Account/{id}/teams');
    expect(paths).not.toHaveProperty('/Account/{id}/contacts');
    expect(text).not.toContain('/Project');
    expect(text).not.toContain('/Role');
    expect(text).not.toContain('schemas/Contact');
    // Nor does a document for a limited role change the document for others.
    const all = JSON.parse(await describeApi(actorOf('admin'), everything));
    expect(all.paths).toHaveProperty('/Account/{id}/contacts');
  });

  it('hides hashes and all secrets that no user may see', async () => {
    const { directory } = withCustom();
    const text = await openApiOf(directory)(actorOf('admin'), everything);
    expect(text).not.toMatch(/passwordHash|apiKeyHash|"activity"/);
    const { User, Webhook } = JSON.parse(text).components.schemas;
    expect(User.properties.apiKey.readOnly).toBe(true);
    expect(Webhook.properties.secretKey.readOnly).toBe(true);
  });
});

describe('the description of a creation', () => {
  it.each(stock)('requires the same fields as the validation of $name', (model) => {
    const { problems } = deriveValues(model, null, readInput(model, {}, 'create').values);
    const missing = problems.filter(({ type }) => type === 'required').map(({ field }) => field);
    const named = requiredChoices(model);
    for (const field of missing) {
      if (model.name === 'User' && field === 'lastName') continue;
      const attributes = model.attributes.filter((one) => one.field === field);
      const isNamed = named.some((choice) => attributes.some(({ name }) => choice.includes(name)));
      expect([field, isNamed || field === 'name']).toEqual([field, true]);
    }
    expect(named.length).toBeLessThanOrEqual(missing.length);
  });

  it.each(stock)('has a valid example for $name', (model) => {
    if (model.name === 'EntityDefinition') return;
    expect(exampleOf(model)).toBeDefined();
  });
});
