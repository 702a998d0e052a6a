import { AvroSchemaParser } from '@asyncapi/avro-schema-parser';
import { Parser } from '@asyncapi/parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { findRoutes } from '../../infra/console/find-routes.ts';
import { buildAsyncApi } from '../../services/query/openapi/asyncapi-document.ts';
import { buildOpenApi } from '../../services/query/openapi/openapi-document.ts';
import { readRoutes } from '../../services/query/openapi/route-templates.ts';
import { createDirectory, entityDefinitionType } from '../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { type FieldDefinition, fieldTypeNames } from '../../shared/domain/field/field-types.ts';
import { errorCodes } from '../../shared/http/errors/error-codes.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { aCreation } from '../support/builders/record-event-builder.ts';
import { routeAt, routeFunctions } from './api-routes.ts';
import { findAll, readProjectFile, readSources } from './source-files.ts';

const directory = createDirectory(stockDefinitions);
directory.apply({
  ...aCreation(entityDefinitionType, {
    template: 'Person',
    fields: Object(everyFieldType()),
    links: { accounts: { entityType: 'Account', foreign: 'project' } },
  }),
  recordId: 'Project',
});

/** Returns the fields of a custom entity type with one field of each type. */
function everyFieldType(): Readonly<Record<string, FieldDefinition>> {
  const more: Readonly<Record<string, Partial<FieldDefinition>>> = {
    link: { entityType: 'Account' },
    linkOne: { entityType: 'Account', foreign: 'x' },
    linkMultiple: { entityType: 'Contact', columns: { role: { type: 'varchar' } } },
    linkParent: { entityList: ['Account'] },
    foreign: { link: 'xlink', entityType: 'Account', attribute: 'website' },
    duration: { start: 'xdatetime', end: 'xdatetimeOptional' },
    enum: { options: ['a', 'b'] },
  };
  return Object.fromEntries(
    fieldTypeNames.map((type) => [
      `x${type}`,
      { type, isCustom: true, ...more[type] } as FieldDefinition,
    ]),
  );
}

interface Operation {
  readonly servers?: readonly { readonly url: string }[];
}

const { routes, document } = await findRoutes();
const openApi = await buildOpenApi(readRoutes(document), {
  models: directory.entities(),
  findModel: directory.entity,
});
const paths = openApi['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Method and path of each operation, such as `GET /api/v1/Account/{id}`. */
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([key]) => key !== 'parameters')
    .map(([method, { servers }]) => ({
      method: method.toUpperCase(),
      path: `${servers?.[0]?.url ?? '/api/v1'}${path === '/' ? '' : path}`,
    })),
);

/** Routes that are not part of the public API. */
const internal = [
  /^(?:HEAD|OPTIONS) /,
  /^GET \/(?:livez|readyz|metrics)$/,
  // An alias of the entity type in the path.
  /^POST \/api\/v1\/attachments$/,
  /^GET \/api\/docs(?:\/[a-z0-9.-]+)?$/,
  // SCIM has its own media type and errors, and describes itself.
  /^[A-Z]+ \/api\/scim\/v2\//,
];

describe('the OpenAPI document', () => {
  it('contains an operation id, a summary, a tag and responses for every route', () => {
    const incomplete = routes
      .filter(({ method, url }) => !internal.some((pattern) => pattern.test(`${method} ${url}`)))
      .filter(({ schema: { operationId, summary, tags = [], response } }) => {
        const statuses = Object.keys(Object(response));
        const isWhole = statuses.some((one) => one < '300') && statuses.some((one) => one >= '400');
        return [operationId, summary, ...tags].filter(Boolean).length < 3 || !isWhole;
      })
      .map(({ method, url }) => `${method} ${url}`);
    expect(incomplete).toEqual([]);
  });

  it('describes exactly the registered routes', () => {
    expect(routes.length).toBeGreaterThan(40);
    expect(operations.length).toBeGreaterThan(300);
    const used = new Set<unknown>();
    const unrouted = operations.filter(({ method, path }) => {
      const route = routeAt(routes, method, path.replaceAll(/\{\w+\}/g, 'x'));
      used.add(route);
      return route === undefined;
    });
    expect(unrouted).toEqual([]);
    const undescribed = routes
      .filter((route) => !used.has(route))
      .map(({ method, url }) => `${method} ${url}`)
      .filter((route) => !internal.some((pattern) => pattern.test(route)));
    expect(undescribed).toEqual([]);
  });

  it('covers every function that registers routes', () => {
    const sources = readSources(
      'services/api',
      'services/command',
      'services/query',
      'services/system',
    );
    const inSources = findAll(sources, /export (?:async )?function (register\w+)\(/g);
    const known = [
      ...routeFunctions,
      'registerConsolePage',
      'registerInternalRoutes',
      'registerInternalLogins',
    ];
    expect(inSources.filter((name) => !known.includes(name))).toEqual([]);
    expect(inSources.length).toBeGreaterThan(5);
  });

  it('satisfies the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(openApi), config });
    expect(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([]);
  }, 60_000);

  it('describes every error code at the operations that can return it', () => {
    const nowhere = ['route.not_found', 'route.method_not_allowed'];
    const used = new Set(
      [...JSON.stringify(openApi['components']).matchAll(/- `([a-z_.]+)`: /g)].map(
        ([, code]) => code,
      ),
    );
    const all = Object.values(errorCodes).flatMap((codes) => Object.keys(codes));
    expect(all.filter((code) => !used.has(code))).toEqual(nowhere);
  });

  it('describes each error code as in docs/reference/errors.md', () => {
    const rows = readProjectFile('docs/reference/errors.md').matchAll(
      /^\| `([a-z_]+\.[a-z_]+)` \| (\d+) \| (.*) \|$/gm,
    );
    const documented = [...rows].map(([, code, status, when]) => [code, status, when]);
    const described = Object.entries(errorCodes).flatMap(([status, codes]) =>
      Object.entries(codes).map(([code, when]) => [code, status, when]),
    );
    expect(described.toSorted()).toEqual(documented.toSorted());
  });
});

describe('the AsyncAPI document', () => {
  it('is valid according to the AsyncAPI parser, including its Avro schemas', async () => {
    const parser = new Parser();
    parser.registerSchemaParser(AvroSchemaParser());
    const source = JSON.stringify(buildAsyncApi(topicNames('annals')));
    const { document, diagnostics } = await parser.parse(source);
    expect(diagnostics.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual(
      [],
    );
    const addresses = document
      ?.channels()
      .all()
      .map((channel) => channel.address());
    const { webhookRetries, ...topics } = topicNames('annals');
    expect(addresses).toEqual(
      expect.arrayContaining([...Object.values(topics), ...webhookRetries]),
    );
  }, 60_000);
});
