import { decideWrite } from '../../../shared/domain/record/decide.ts';
import { appendToDirectory } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asObject, asText } from '../owner/read-body.ts';

/** Settings that a request changes. Sent between instances as JSON. */
export interface ChangedSettings {
  readonly personNameFormat: string;
}

export const changeSettingsCommand = defineCommand({
  name: 'change-settings',
  readBody: asObject<ChangedSettings>({ personNameFormat: asText }),
  execute: (context, request) =>
    appendToDirectory(context, request, {
      id: request.id,
      decide: (state) => decideWrite(state, { ...request.body }),
    }),
});

export const settingsCommands = [changeSettingsCommand] as const;
