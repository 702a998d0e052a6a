import type { ProvisionedGroup } from '../../../shared/domain/login/provisioning.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { isObject, toObject } from '../../../shared/domain/value/attribute-values.ts';
import type { Resource } from './apply-patch.ts';
import { scimRefusal, scimTypeOf } from './scim-refusal.ts';
import {
  attributesOf,
  findAttribute,
  type ResourceSchema,
  resourceSchemas,
  toSchemaBody,
} from './scim-schemas.ts';

export const rootPath = '/api/scim/v2';
const messages = 'urn:ietf:params:scim:api:messages:2.0';
const core = 'urn:ietf:params:scim:schemas:core:2.0';

const MAX_PAGE = 200;
const USUAL_PAGE = 100;

/** The range of a list, and the attributes of its resources that the client requests. */
export interface ListQuery {
  /** Counts from 1. */
  readonly startIndex: number;
  readonly count: number;
  readonly isWanted: (attribute: string) => boolean;
}

export function readListQuery(query: Resource, schema: ResourceSchema): ListQuery {
  return {
    startIndex: Math.max(1, readInteger(query, 'startIndex', 1)),
    count: Math.min(MAX_PAGE, Math.max(0, readInteger(query, 'count', USUAL_PAGE))),
    isWanted: readWanted(query, schema),
  };
}

function readInteger(query: Resource, name: string, usual: number): number {
  const text = query[name] ?? usual;
  const number = Number(text);
  if (text !== '' && Number.isSafeInteger(number)) return number;
  throw scimRefusal('invalidValue', `'${name}' must be an integer.`);
}

/** Reads `attributes` and `excludedAttributes`. A part of a complex attribute selects the whole attribute. */
export function readWanted(query: Resource, schema: ResourceSchema): ListQuery['isWanted'] {
  const selected = readNames(query['attributes'], schema);
  const excluded = readNames(query['excludedAttributes'], schema);
  return (name) =>
    name === 'id' || (selected.size === 0 ? !excluded.has(name) : selected.has(name));
}

function readNames(names: unknown, schema: ResourceSchema): ReadonlySet<string> {
  const prefix = `${schema.urn.toLowerCase()}:`;
  const given = typeof names === 'string' ? names.split(',') : [];
  return new Set(
    given.flatMap((one) => {
      const name = one.trim();
      const short = name.toLowerCase().startsWith(prefix) ? name.slice(prefix.length) : name;
      const [first = ''] = short.split('.');
      return findAttribute(attributesOf(schema), first)?.name ?? (first === '' ? [] : [first]);
    }),
  );
}

export function toListBody(total: number, startIndex: number, resources: readonly object[]) {
  return {
    schemas: [`${messages}:ListResponse`],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** Returns a user or group with the requested attributes. `base` is the address of the SCIM routes. */
export function toResourceBody(
  schema: ResourceSchema,
  state: Pick<RecordState, 'id' | 'values'>,
  {
    read,
    isWanted,
    base,
  }: {
    readonly read: (attribute: string) => unknown;
    readonly isWanted: ListQuery['isWanted'];
    readonly base: string;
  },
): object {
  const wanted = attributesOf(schema).filter(({ name }) => isWanted(name));
  const values = wanted.map(({ name }) => [name, read(name)] as const);
  const meta = {
    resourceType: schema.name,
    created: toTime(state.values['createdAt']),
    lastModified: toTime(state.values['modifiedAt']),
    location: `${base}${schema.endpoint}/${state.id}`,
  };
  return {
    schemas: [schema.urn],
    ...Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null)),
    ...(isWanted('meta') ? { meta } : {}),
  };
}

const toTime = (value: unknown) =>
  typeof value === 'string' ? `${value.replace(' ', 'T')}Z` : undefined;

/** Returns the group, without its members. */
export function readGroupAttribute(group: ProvisionedGroup, name: string): unknown {
  if (name === 'externalId') return group.externalId ?? undefined;
  return name === 'id' || name === 'displayName' ? group[name] : undefined;
}

/** Converts the error body of other routes to that of RFC 7644, section 3.12. */
export function toErrorBody(status: number, text: string): object {
  const { code, message, detail, errors } = toObject(parseOrUndefined(text));
  const problems: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const more = problems.flatMap((one) => (isObject(one) ? [String(one['message'])] : []));
  const details = new Set([String(message ?? detail ?? text), ...more]);
  const scimType = scimTypeOf(String(code));
  return {
    schemas: [`${messages}:Error`],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: [...details].join(' '),
  };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unsupported = { supported: false };

export const serviceProviderConfig = {
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_PAGE },
  changePassword: unsupported,
  sort: unsupported,
  etag: unsupported,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The SCIM token of the provider, which an administrator creates in the console.',
      primary: true,
    },
  ],
};

export const resourceTypes = resourceSchemas.map(({ name, urn, endpoint, description }) => ({
  schemas: [`${core}:ResourceType`],
  id: name,
  name,
  endpoint,
  description,
  schema: urn,
}));

export const schemaBodies = resourceSchemas.map((schema) => ({
  schemas: [`${core}:Schema`],
  ...toSchemaBody(schema),
}));
