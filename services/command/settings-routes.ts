import type { FastifyInstance } from 'fastify';
import {
  passwordSignInOf,
  passwordSignIns,
  personNameFormatIn,
  settingsId,
  settingsType,
} from '../../shared/domain/entity/stock/settings.ts';
import { Refusal, validationFailure } from '../../shared/domain/errors.ts';
import { personNameFormats } from '../../shared/domain/field/types/contact/person-name.ts';
import { printable } from '../../shared/domain/printable.ts';
import { decideWrite } from '../../shared/domain/record/decide.ts';
import { describeRoute } from '../../shared/http/describe/describe-route.ts';
import { written } from '../../shared/http/describe/error-lists.ts';
import { objectOf, text } from '../../shared/http/describe/schemas.ts';
import { sendJson } from '../../shared/http/send-json.ts';
import type { CommandContext } from './context.ts';
import { readCommand } from './http/read-command.ts';
import { setWriteHeaders } from './http/send-written.ts';
import { defineChange } from './owner/define-command.ts';
import { asObject, asText, type JsonObject, optional } from './owner/read-body.ts';

/** The settings that a request changes. Sent between instances as JSON. */
interface ChangedSettings {
  readonly personNameFormat?: string | undefined;
  readonly passwordSignIn?: string | undefined;
}

export const changeSettingsCommand = defineChange({
  name: 'change-settings',
  readBody: asObject<ChangedSettings>({
    personNameFormat: optional(asText),
    passwordSignIn: optional(asText),
  }),
  decide: (state, { body: { personNameFormat, passwordSignIn } }) =>
    decideWrite(state, {
      ...(personNameFormat === undefined ? {} : { personNameFormat }),
      ...(passwordSignIn === undefined ? {} : { passwordSignIn }),
    }),
});

/** Registers the routes for settings that administrators change (docs/reference/espocrm-compatibility.md#settings). */
export function registerSettingsRoutes(server: FastifyInstance, context: CommandContext): void {
  server.put('/api/v1/Settings', changeSettings, async (request, reply) => {
    const model = context.directory.entity(settingsType);
    if (model === undefined) throw new Error('no entity type Settings');
    const command = await readCommand(context, request, {
      command: changeSettingsCommand,
      body: request.body,
      id: settingsId,
      model,
    });
    const answer = await context.sender.sendPlanned(changeSettingsCommand, {
      ...command,
      plan() {
        if (command.actor.type === 'admin') return readSettings(command.body);
        throw new Refusal(
          'forbidden',
          'access.admin_only',
          'Only administrators can change settings.',
        );
      },
      conditions: {},
    });
    const { state } = answer;
    const personNameFormat = personNameFormatIn(state) ?? 'firstLast';
    const shown = { personNameFormat, passwordSignIn: passwordSignInOf(state) };
    return sendJson(setWriteHeaders(reply, [answer]), shown);
  });
}

function readSettings(body: JsonObject): ChangedSettings {
  const names = Object.keys(options).join(' or ');
  if (Object.keys(body).length === 0)
    throw invalid('The body', `contains no setting. Send ${names}.`);
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(options, name));
  if (unknown !== undefined) {
    throw invalid(printable(unknown), `is not a setting that can be changed. Send ${names}.`);
  }
  const read = (name: keyof typeof options) => {
    const value = body[name];
    if (value === undefined) return undefined;
    const found = options[name].find((one) => one === value);
    if (found === undefined) throw invalid(name, `must be one of ${options[name].join(', ')}.`);
    return found;
  };
  return { personNameFormat: read('personNameFormat'), passwordSignIn: read('passwordSignIn') };
}

function invalid(field: string, requirement: string): Refusal {
  return validationFailure('Settings', [
    { field, type: 'valid', message: `${field} ${requirement}` },
  ]);
}

/** The values of each setting. */
const options: Readonly<Record<'passwordSignIn' | 'personNameFormat', readonly string[]>> = {
  passwordSignIn: passwordSignIns,
  personNameFormat: Object.keys(personNameFormats),
};

const settings = {
  personNameFormat: { ...text, enum: options.personNameFormat },
  passwordSignIn: { ...text, enum: options.passwordSignIn },
};

const changeSettings = describeRoute({
  id: 'Settings_change',
  tag: 'This installation',
  summary: 'Change settings of the installation',
  description:
    'For administrators. Names that are composed afterwards have the new format. `passwordSignIn` is `everyone` or `administrators`, which applies while a provider for single sign-on is active.',
  parameters: ['Idempotency-Key'],
  body: objectOf(settings, []),
  answer: objectOf(settings),
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [...written, 'access.admin_only', 'record.invalid'],
});
