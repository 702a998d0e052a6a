import type { FastifyInstance } from 'fastify';
import { settingsId, settingsType } from '../../shared/domain/entity/stock/settings.ts';
import { Refusal, validationFailure } from '../../shared/domain/errors.ts';
import {
  isPersonNameFormat,
  personNameFormats,
} from '../../shared/domain/field/types/contact/person-name.ts';
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
import { asObject, asText, type JsonObject } from './owner/read-body.ts';

/** The settings that a request changes. Sent between instances as JSON. */
interface ChangedSettings {
  readonly personNameFormat: string;
}

export const changeSettingsCommand = defineChange({
  name: 'change-settings',
  readBody: asObject<ChangedSettings>({ personNameFormat: asText }),
  decide: (state, { body }) => decideWrite(state, { ...body }),
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
    const { personNameFormat } = answer.state.values;
    return sendJson(setWriteHeaders(reply, [answer]), { personNameFormat });
  });
}

function readSettings(body: JsonObject): ChangedSettings {
  const { personNameFormat, ...others } = body;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw invalid(
      printable(unknown),
      'is not a setting that can be changed. Send personNameFormat.',
    );
  }
  if (isPersonNameFormat(personNameFormat)) return { personNameFormat };
  throw invalid('personNameFormat', `must be one of ${Object.keys(personNameFormats).join(', ')}.`);
}

function invalid(field: string, requirement: string): Refusal {
  return validationFailure('Settings', [
    { field, type: 'valid', message: `${field} ${requirement}` },
  ]);
}

const settings = objectOf({
  personNameFormat: { ...text, enum: Object.keys(personNameFormats) },
});

const changeSettings = describeRoute({
  id: 'Settings_change',
  tag: 'This installation',
  summary: 'Change settings of the installation',
  description: 'For administrators. Names that are composed afterwards have the new format.',
  parameters: ['Idempotency-Key'],
  body: settings,
  answer: settings,
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [...written, 'access.admin_only', 'record.invalid'],
});
