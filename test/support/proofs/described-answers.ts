import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import type { ApiAnswer } from '../api-client.ts';

type Tree = Readonly<Record<string, unknown>>;

/** Deviations of responses and requests from the document; empty without deviations. */
export interface DescribedApi {
  /** `path` in the form of the document, `/Account/{id}`. */
  problemsOf(method: string, path: string, answer: ApiAnswer): readonly string[];
  /** Deviations of a request to a receiver, for an event such as `Account.create`. */
  problemsOfWebhook(
    event: string,
    request: { readonly headers: Tree; readonly body: Buffer },
  ): readonly string[];
}

/**
 * Compares responses with an OpenAPI document: status, content type, headers, and the body with its schema.
 * Records may only have documented attributes.
 */
export function createDescribedApi(text: string): DescribedApi {
  const document = JSON.parse(text);
  for (const [name, schema] of Object.entries<Tree>(document.components.schemas)) {
    if (/^[A-Z]/.test(name)) document.components.schemas[name] = closed(schema);
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');

  function problemsOfBody(pointer: string, body: unknown): readonly string[] {
    const validate = ajv.compile({ $ref: `api#${pointer}` });
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** Resolves references. */
  function follow(pointer: string): { readonly pointer: string; readonly value: unknown } {
    const keys = pointer.split('/').slice(1).map(decode);
    const value = keys.reduce(
      (part: unknown, key) => (Array.isArray(part) ? part[Number(key)] : toObject(part)[key]),
      document,
    );
    const to = toObject(value)['$ref'];
    return typeof to === 'string' ? follow(to.slice(1)) : { pointer, value };
  }

  return {
    problemsOf(method, path, { status, headers, text: body, body: parsed }) {
      const response = follow(`/paths/${encode(path)}/${method}/responses/${status}`);
      if (response.value === undefined) return [`status ${status} is not described`];
      const type = String(headers['content-type']);
      const { content, headers: describedHeaders } = toObject(response.value);
      if (toObject(content)[type] === undefined) {
        return body === '' && content === undefined
          ? []
          : [`type ${type} is not described for ${status}`];
      }
      const known = Object.keys(toObject(describedHeaders)).map((one) => one.toLowerCase());
      const unknown = ownHeaders.filter((name) => name in headers && !known.includes(name));
      return [
        ...unknown.map((name) => `header ${name} is not described`),
        ...problemsOfBody(`${response.pointer}/content/${encode(type)}/schema`, parsed),
      ];
    },
    problemsOfWebhook(event, { headers, body }) {
      const at = `/webhooks/${event}/post`;
      const { length } = Object.keys(follow(`${at}/parameters`).value ?? []);
      const missing = Array.from({ length }, (_, index) => {
        const { name, required } = toObject(follow(`${at}/parameters/${index}`).value);
        return required === true && !(String(name).toLowerCase() in headers) ? [name] : [];
      });
      return [
        ...missing.flat().map((name) => `header ${name} is missing`),
        ...problemsOfBody(
          `${at}/requestBody/content/application~1json/schema`,
          JSON.parse(body.toString()),
        ),
      ];
    },
  };
}

/** Headers that Annals sets itself. */
const ownHeaders = [
  'etag',
  'idempotency-replayed',
  'link',
  'preference-applied',
  'ratelimit-limit',
  'retry-after',
  'set-cookie',
  'www-authenticate',
  'x-consistency-token',
  'x-status-reason',
];

function closed(schema: Tree): Tree {
  return { ...schema, additionalProperties: false };
}

function encode(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function decode(key: string): string {
  return decodeURIComponent(key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
