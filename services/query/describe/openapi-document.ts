import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { version } from '../../../shared/runtime/version.ts';
import { accountPaths, aclSchema, appUserSchema } from './account-paths.ts';
import { actionPaths } from './action-paths.ts';
import { activityItemSchema, activityPaths } from './activity-paths.ts';
import { groupEntrySchemas } from './attribute-schema.ts';
import { calendarItemSchema, calendarPaths } from './calendar-paths.ts';
import { definitionPaths, fieldDefinitionSchema } from './definition-paths.ts';
import { entitySchemas } from './entity-schemas.ts';
import { errorComponents, errorSchemas } from './error-responses.ts';
import { filePaths } from './file-paths.ts';
import { answerHeaders } from './headers.ts';
import { installationPaths } from './installation-paths.ts';
import { layoutPaths, layoutSchemas } from './layout-paths.ts';
import { linkedIdsSchema, linkPaths } from './link-paths.ts';
import { credentials } from './operation.ts';
import { parameterComponents, searchSchemas } from './parameters.ts';
import { type Part, refer } from './part.ts';
import { historyEntrySchema, historyPath, recordActionPaths, recordPaths } from './record-paths.ts';
import { severalRecordsPaths } from './several-records-paths.ts';
import { streamItemSchema, streamPaths } from './stream-paths.ts';
import { withoutUnused } from './used-components.ts';
import { webhookItemSchemas, webhookParameters, webhookRequests } from './webhook-messages.ts';
import { webhookSchemas } from './webhook-paths.ts';

const openApiVersion = '3.1.1';

/**
 * The OpenAPI document of these entity types, among all that `findModel` knows, made from the definitions that requests
 * are checked with. Fixed schemas begin with a lower-case letter, so that no entity type can have the same name.
 */
export function buildOpenApi(models: readonly EntityModel[], findModel: FindModel): Part {
  return withoutUnused({
    ...openApiFrame(),
    tags: tagsOf(models),
    paths: pathsOf(models, findModel),
    webhooks: webhookRequests(models),
    components: {
      securitySchemes,
      headers: answerHeaders,
      parameters: { ...parameterComponents(), ...webhookParameters },
      responses: errorComponents(),
      schemas: schemasOf(models),
    },
  });
}

/** The parts that are the same for everybody, and not secret. */
export function openApiFrame() {
  return {
    openapi: openApiVersion,
    info: {
      title: 'Annals',
      version,
      summary: 'Business records, every change of them, and webhooks.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Without a host: only the client knows the name by which it reaches this installation.
    servers: [{ url: '/api/v1', description: 'This installation.' }],
    security: credentials,
    components: { securitySchemes },
  };
}

const description = `Records are read and written as JSON objects of attributes. Times are in UTC,
\`2030-01-31 10:00:00\`; dates \`2030-01-31\`. An entity type is also found under its lower-case name and plural:
\`/contacts\` is \`/Contact\`.

Every error has \`X-Status-Reason\` and a JSON body; with \`Accept: application/problem+json\` it is a problem document.
`;

const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The key of an API user.',
  },
  Hmac: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hmac-Authorization',
    description:
      'Base64 of `key:hash`, where the hash is the HMAC-SHA256 of the method, a space and the path after `/api/v1` under the secret key.',
  },
  EspoAuthorization: {
    type: 'apiKey',
    in: 'header',
    name: 'Espo-Authorization',
    description: 'Base64 of `user:password` or `user:token`.',
  },
  Basic: { type: 'http', scheme: 'basic', description: 'A user and a password, or a token.' },
};

function tagsOf(models: readonly EntityModel[]): readonly Part[] {
  return [
    { name: 'This installation', description: 'What it is and what it has.' },
    { name: 'Logging in', description: 'Who somebody is, and how they prove it.' },
    ...models.map(({ name, definition }) => ({
      name,
      description: `Records of ${name}${definition.isCustom === true ? ', a custom entity type' : ''}.`,
    })),
    {
      name: 'Several records',
      description: 'Searching, changing and merging records of any type.',
    },
    { name: 'Custom types and fields', description: 'For administrators.' },
  ];
}

function pathsOf(models: readonly EntityModel[], findModel: FindModel): Part {
  const names = new Set(models.map(({ name }) => name));
  const isDescribed = (name: string) => names.has(name);
  const ofRecords = models.map((model) => ({
    ...recordPaths(model, isWritable(model)),
    ...recordActionPaths(model),
    ...layoutPaths(model),
    ...(hasPathsBelow(model)
      ? {
          ...historyPath(model),
          ...linkPaths(model, {
            findModel,
            isDescribed,
            isChangeable: areLinksChangeable(model),
          }),
        }
      : {}),
  }));
  const paths: Readonly<Record<string, Part>> = Object.assign(
    {},
    installationPaths,
    accountPaths,
    ...ofRecords,
    actionPaths(isDescribed),
    isDescribed(attachmentType) ? filePaths : {},
    severalRecordsPaths(models),
    streamPaths(models),
    activityPaths(models),
    calendarPaths(models),
    definitionPaths,
  );
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, withCommonParameters(item)]),
  );
}

function withCommonParameters(item: Part): Part {
  const own = Array.isArray(item['parameters']) ? item['parameters'] : [];
  const common = ['X-Another-User', 'traceparent'].map((name) => refer('parameters', name));
  return { ...item, parameters: [...own, ...common] };
}

/** Attachments have history and links, too, but in the document these would clash with `/Attachment/file/{id}`. */
function hasPathsBelow({ name }: EntityModel): boolean {
  return name !== attachmentType;
}

/** Definitions are records, too, but have an API of their own. */
function isWritable({ name }: EntityModel): boolean {
  return name !== 'EntityDefinition';
}

function areLinksChangeable(model: EntityModel): boolean {
  return isWritable(model) && model.name !== 'Webhook';
}

function schemasOf(models: readonly EntityModel[]): Part {
  return {
    ...Object.assign({}, ...models.map((model) => entitySchemas(model, isWritable(model)))),
    ...groupEntrySchemas,
    ...webhookSchemas,
    ...webhookItemSchemas,
    ...searchSchemas,
    ...layoutSchemas,
    ...errorSchemas,
    acl: aclSchema,
    appUser: appUserSchema,
    fieldDefinition: fieldDefinitionSchema,
    historyEntry: historyEntrySchema,
    linkedIds: linkedIdsSchema,
    streamItem: streamItemSchema,
    activityItem: activityItemSchema,
    calendarItem: calendarItemSchema,
  };
}
