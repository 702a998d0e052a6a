import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Actor, requireScope } from '../../../shared/domain/access/actor.ts';
import { currencyScope } from '../../../shared/domain/access/check-role.ts';
import { customPrefixOf } from '../../../shared/domain/directory/custom-prefix.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { mainTypes } from '../../../shared/domain/entity/stock/main-types.ts';
import {
  personNameFormatIn,
  settingsId,
  settingsType,
} from '../../../shared/domain/entity/stock/settings.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { defaultCurrency } from '../../../shared/domain/field/types/money/derive-currency.ts';
import { ratesIn, toRateBody } from '../../../shared/domain/input/currency-rates.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { always, reading } from '../../../shared/http/describe/error-lists.ts';
import { inQuery } from '../../../shared/http/describe/part.ts';
import { currencyRates, flag, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readSession } from '../../../shared/http/login/session-cookie.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { version } from '../../../shared/runtime/version.ts';
import type { QueryContext } from '../context.ts';
import { last, readParameters } from '../request/read-parameters.ts';
import type { QueryRoute } from '../request/read-reader.ts';
import { labels } from './labels.ts';
import { createMetadata, valueAtPath } from './metadata.ts';
import { oidcSettings } from './oidc-settings.ts';
import { isReached } from './reach.ts';
import { readLanguage } from './read-language.ts';

/**
 * Registers metadata, labels and settings (docs/reference/espocrm-compatibility.md#metadata), and the rates of all
 * currencies except the default one (docs/reference/currencies.md).
 */
export function registerAppRoutes(server: FastifyInstance, context: QueryContext): void {
  const { directory } = context;
  const metadata = createMetadata(directory);
  const stock = createDirectory(stockDefinitions);

  // Clients reload metadata and layouts when this header changes.
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode < 400 && request.url.startsWith('/api/v1')) {
      void reply.header('X-App-Timestamp', directory.definedAtSeconds());
    }
    done(null, payload);
  });

  for (const [path, name] of [
    ['/api/v1/Metadata', 'read'],
    ['/api/v1/Metadata/action/get', 'get'],
  ] as const) {
    server.get<QueryRoute>(path, readMetadata(name), async (request, reply) => {
      const actor = await readActor(context, request);
      const key = last(readParameters(request.query), 'key');
      const found = key === undefined ? metadata(actor) : valueAtPath(metadata(actor), key);
      return sendJson(reply, found ?? null);
    });
  }

  server.get('/api/v1/I18n', readLabels, async (request, reply) => {
    // Labels for shipped types are public. Labels for custom types are only for users whose role includes the type.
    const actor = hasCredentials(request) ? await readActor(context, request) : undefined;
    const language = readLanguage(request.headers['accept-language'], {
      directory,
      userId: actor?.id,
    });
    void reply.headers({ 'content-language': language, vary: 'Accept-Language' });
    if (actor === undefined) {
      return labels(stock.entities().filter(isNamed), stock.entity, language);
    }
    const models = directory.entities().filter((model) => isReached(actor, model));
    return labels(models, directory.entity, language);
  });

  server.get('/api/v1/Settings', readSettings, async (request) =>
    settingsFor(hasCredentials(request) ? await readActor(context, request) : undefined, context),
  );

  server.get('/api/v1', greeting, (_request, reply) => sendJson(reply, 'Annals REST API'));

  server.get('/api/v1/CurrencyRate', readRates, async (request) => {
    requireScope(await readActor(context, request), currencyScope, 'read');
    return toRateBody(ratesIn(directory));
  });
}

function isNamed({ definition }: EntityModel): boolean {
  return definition.isInternal !== true;
}

function hasCredentials(request: FastifyRequest): boolean {
  const names = ['espo-authorization', 'x-api-key', 'x-hmac-authorization', 'authorization'];
  return (
    names.some((name) => request.headers[name] !== undefined) || readSession(request) !== undefined
  );
}

const tag = 'This installation';

const greeting = describeRoute({
  id: 'Root_name',
  tag,
  summary: 'Identify the API',
  answer: { const: 'Annals REST API' },
  errors: always,
  isOpen: 'always',
});

function readMetadata(name: 'read' | 'get') {
  return describeRoute({
    id: `Metadata_${name}`,
    tag,
    summary: 'Read the definitions of entity types, fields and links',
    parameters: [
      inQuery(
        'key',
        'A path into the definitions. The response is null if the path does not exist.',
        {
          schema: text,
          example: 'entityDefs.Lead.fields.status.options',
        },
      ),
      'X-Consistency-Token',
    ],
    answer: {},
    errors: reading,
  });
}

const readLabels = describeRoute({
  id: 'I18n_read',
  tag,
  summary: 'Read the labels of entity types, fields and links',
  description:
    'Without credentials: labels of the entity types that Annals ships with. With credentials: labels of the entity types that the role includes. In English or German, by `Accept-Language`, else by the preferences of the user.',
  parameters: ['X-Consistency-Token'],
  answer: { type: 'object', additionalProperties: { type: 'object' } },
  errors: reading,
  isOpen: 'partly',
});

const readSettings = describeRoute({
  id: 'Settings_read',
  tag,
  summary: 'Read the settings of the installation',
  description: 'Some settings are public; authenticated users see more.',
  parameters: ['X-Consistency-Token'],
  answer: objectOf({ applicationName: text, version: text, passwordRecoveryDisabled: flag }, [
    'applicationName',
    'passwordRecoveryDisabled',
  ]),
  errors: reading,
  isOpen: 'partly',
});

const readRates = describeRoute({
  id: 'CurrencyRate_read',
  tag: 'Several records',
  summary: 'Read the currency rates',
  parameters: ['X-Consistency-Token'],
  answer: currencyRates,
  errors: [...reading, 'access.denied'],
});

const publicSettings = {
  applicationName: 'Annals',
  language: 'en_US',
  dateFormat: 'YYYY-MM-DD',
  timeFormat: 'HH:mm',
  timeZone: 'UTC',
  weekStart: 1,
  thousandSeparator: ',',
  decimalMark: '.',
};

/**
 * Returns the public settings and, for an actor, all other settings (docs/reference/espocrm-compatibility.md#settings).
 */
function settingsFor(
  actor: Actor | undefined,
  { directory, isMailOn }: QueryContext,
): Readonly<Record<string, unknown>> {
  const open = {
    ...publicSettings,
    ...oidcSettings(actor, directory),
    passwordRecoveryDisabled: !isMailOn,
    cacheTimestamp: directory.definedAtSeconds(),
  };
  if (actor === undefined) return open;
  const currencies = ratesIn(directory);
  return {
    ...open,
    version,
    currencyList: [...currencies.keys()],
    defaultCurrency,
    baseCurrency: defaultCurrency,
    currencyRates: toRateBody(currencies),
    recordsPerPage: 20,
    fiscalYearShift: 0,
    personNameFormat: personNameFormatIn(directory.record(settingsType, settingsId)) ?? 'firstLast',
    tabList: mainTypes,
    customPrefixDisabled: customPrefixOf(directory) !== 'always',
  };
}
