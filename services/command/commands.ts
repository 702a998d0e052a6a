import { conversionCommands } from './conversion/conversion-commands.ts';
import { currencyCommands } from './currency/currency-commands.ts';
import { definitionCommands } from './definitions/definition-commands.ts';
import { fileCommands } from './files/file-commands.ts';
import { leadCaptureCommands } from './lead-capture/lead-capture-commands.ts';
import { loginCommands } from './logins/login-commands.ts';
import { massActionCommands } from './mass-actions/mass-action-commands.ts';
import { meetingCommands } from './meetings/meeting-commands.ts';
import { mergeCommands } from './merge/merge-commands.ts';
import type { CommandDefinition } from './owner/define-command.ts';
import type { CommandOf } from './owner/protocol.ts';
import { repeatCommand } from './owner/send-to-owner.ts';
import { quarantineCommands } from './quarantine/quarantine-commands.ts';
import { recordCommands } from './records/record-commands.ts';
import { settingsCommands } from './settings/settings-commands.ts';
import { streamCommands } from './stream/stream-commands.ts';
import { webhookCommands } from './webhooks/webhook-commands.ts';

/** All commands that can be sent to the owner of a partition. New commands are added to the list of their feature. */
export const commands = [
  ...recordCommands,
  ...conversionCommands,
  ...currencyCommands,
  ...settingsCommands,
  ...definitionCommands,
  ...fileCommands,
  ...leadCaptureCommands,
  ...loginCommands,
  ...massActionCommands,
  ...meetingCommands,
  ...mergeCommands,
  ...quarantineCommands,
  ...streamCommands,
  ...webhookCommands,
  repeatCommand,
] as const;

type AnyCommand = (typeof commands)[number];

/** A command on its way to the owner. Its name determines the type of its body. */
export type ForwardedCommandOf = CommandOf<AnyCommand>;

export const commandsByName: ReadonlyMap<string, CommandDefinition> = new Map(
  commands.map((command) => [command.name, command]),
);
