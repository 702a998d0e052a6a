import { operation } from './operation.ts';
import type { Part } from './part.ts';

const tag = 'This installation';
const text = { type: 'string' };
const anyObject = { type: 'object' };

/** Requests about the installation itself. */
export const installationPaths: Readonly<Record<string, Part>> = {
  '/': {
    get: operation({
      id: 'Root_name',
      tag,
      summary: 'Tell what API this is',
      answer: { const: 'Annals REST API' },
      errors: 'open',
      isOpen: 'always',
    }),
  },
  '/Metadata': { get: metadata('Metadata_read') },
  '/Metadata/action/get': { get: metadata('Metadata_get') },
  '/I18n': {
    get: operation({
      id: 'I18n_read',
      tag,
      summary: 'Names of entity types, fields and links for people',
      description:
        'Of what Annals comes with; for whoever is logged in, of the entity types that the role reaches.',
      parameters: ['X-Consistency-Token'],
      answer: { type: 'object', additionalProperties: { type: 'object' } },
      errors: 'accountRead',
      isOpen: 'partly',
    }),
  },
  '/Settings': {
    get: operation({
      id: 'Settings_read',
      tag,
      summary: 'Settings of the installation',
      description: 'Everybody reads some of them, whoever is logged in reads more.',
      parameters: ['X-Consistency-Token'],
      answer: object({ applicationName: text, version: text }, ['applicationName']),
      errors: 'accountRead',
      isOpen: 'partly',
    }),
  },
  '/OpenApi': {
    get: operation({
      id: 'OpenApi_read',
      tag,
      summary: 'This document',
      description:
        'For administrators and roles with the scope `OpenApi`. It has the entity types that the role reaches.',
      parameters: [
        flag('skipCustom', 'Leaves custom entity types and fields out.'),
        {
          name: 'module',
          in: 'query',
          description: 'Entity types of one module only.',
          schema: { type: 'string', enum: ['Crm', 'Custom'] },
        },
        'X-Consistency-Token',
      ],
      answer: object({ openapi: text, info: anyObject, paths: anyObject }, [
        'openapi',
        'info',
        'paths',
      ]),
      errors: 'openApi',
    }),
  },
  '/asyncapi.json': {
    servers: [{ url: '/api', description: 'This installation, beside the record API.' }],
    get: operation({
      id: 'AsyncApi_read',
      tag,
      summary: 'The Kafka topics and webhooks as an AsyncAPI document',
      description: 'For administrators and roles with the scope `OpenApi`.',
      answer: object({ asyncapi: text, info: anyObject, channels: anyObject }, [
        'asyncapi',
        'info',
        'channels',
      ]),
      errors: 'asyncApi',
    }),
  },
};

function metadata(id: string): Part {
  return operation({
    id,
    tag,
    summary: 'Definitions of entity types, fields and links',
    parameters: [
      {
        name: 'key',
        in: 'query',
        description: 'A path into the definitions; null if nothing is there.',
        schema: { type: 'string' },
        example: 'entityDefs.Lead.fields.status.options',
      },
      'X-Consistency-Token',
    ],
    answer: {},
    errors: 'accountRead',
  });
}

function object(properties: Part, required: readonly string[]): Part {
  return { type: 'object', required, properties };
}

function flag(name: string, description: string): Part {
  return { name, in: 'query', description, schema: { type: 'string', enum: ['true', 'false'] } };
}
