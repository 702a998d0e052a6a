import type { FastifyInstance } from 'fastify';
import type { CommandContext } from './context.ts';
import {
  convertCommand,
  endConversionCommand,
  linkConvertedCommand,
} from './conversion/conversion-commands.ts';
import { registerLeadRoutes } from './conversion/lead-routes.ts';
import { registerDuplicateRoutes } from './copies/duplicate-routes.ts';
import { convertCurrencyCommand, setRatesCommand } from './currency/currency-commands.ts';
import { registerCurrencyRoutes } from './currency/currency-routes.ts';
import {
  defineEntityCommand,
  grantCommand,
  layoutCommand,
} from './definitions/definition-commands.ts';
import { registerDefinitionRoutes } from './definitions/definition-routes.ts';
import { registerTeamRoutes } from './directory/team-routes.ts';
import { registerAttachmentRoutes } from './files/attachment-routes.ts';
import { uploadCommand } from './files/file-commands.ts';
import { acknowledgeFindingCommand } from './findings/acknowledgement-routes.ts';
import { registerImportRoutes } from './import/import-routes.ts';
import { placeCardsCommand, registerBoardOrder } from './kanban/kanban-routes.ts';
import { renewCaptureKeyCommand } from './lead-capture/lead-capture-commands.ts';
import { registerLeadCaptureRoutes } from './lead-capture/lead-capture-routes.ts';
import { optInCommands } from './lead-capture/opt-in-commands.ts';
import { serveOptInPage } from './lead-capture/opt-in-routes.ts';
import { loginCommands } from './logins/login-commands.ts';
import { registerOwnSessionsRoutes } from './logins/own-sessions-routes.ts';
import { registerRecoveryRoutes } from './logins/recovery-routes.ts';
import { registerSessionRoutes } from './logins/session-routes.ts';
import { registerTokenRoutes } from './logins/token-routes.ts';
import { registerUserSecurityRoutes } from './logins/user-security-routes.ts';
import { emailCommands } from './mail/email-commands.ts';
import { registerMailRoutes } from './mail/mail-routes.ts';
import { massActionCommand } from './mass-actions/mass-action-commands.ts';
import { registerMassActionRoutes } from './mass-actions/mass-action-routes.ts';
import { registerUndoRoutes } from './mass-actions/undo-routes.ts';
import { registerMeetingRoutes, setAcceptanceCommand } from './meeting-routes.ts';
import {
  endMergeCommand,
  mergeAwayCommand,
  mergeCommand,
  relinkCommand,
} from './merge/merge-commands.ts';
import { registerMergeRoutes } from './merge/merge-routes.ts';
import {
  markNotificationsCommand,
  registerNotificationMarks,
} from './notifications/notification-routes.ts';
import type { CommandDefinition } from './owner/define-command.ts';
import { repeatCommand } from './owner/send-to-owner.ts';
import { changePreferencesCommand, registerPreferences } from './preferences/preferences-routes.ts';
import { discardCommand } from './quarantine/quarantine-commands.ts';
import { registerQuarantineRoutes } from './quarantine/quarantine-routes.ts';
import { createCommand, registerCreate } from './records/create.ts';
import { linkCommand, registerLinkRoutes, unlinkCommand } from './records/link.ts';
import { registerRemove, removeCommand } from './records/remove.ts';
import { registerRestore, restoreCommand } from './records/restore.ts';
import { registerUpdate, updateCommand } from './records/update.ts';
import { scimCommands } from './scim/scim-commands.ts';
import { registerScimRoutes } from './scim/scim-routes.ts';
import { registerScimTokenRoutes } from './scim/scim-token-routes.ts';
import { changeSettingsCommand, registerSettingsRoutes } from './settings-routes.ts';
import { registerEspoOidcRoutes } from './single-sign-on/espo-oidc-routes.ts';
import { registerLogoutRoutes } from './single-sign-on/logout-routes.ts';
import { registerProviderRoutes } from './single-sign-on/provider-routes.ts';
import { registerSignInRoutes } from './single-sign-on/sign-in-routes.ts';
import { singleSignOnCommands } from './single-sign-on/single-sign-on-commands.ts';
import { registerFollowingRoutes } from './stream/following-routes.ts';
import { registerNoteRoutes } from './stream/note-routes.ts';
import { markCommand, pinCommand } from './stream/stream-commands.ts';
import { revertCommand } from './undo/revert-command.ts';
import {
  cancelReplayCommand,
  resumeReplayCommand,
  startReplayCommand,
} from './webhooks/replay-commands.ts';
import { registerReplayRoutes } from './webhooks/replay-routes.ts';
import {
  rotateSecretCommand,
  runQueueCommand,
  switchOffCommand,
} from './webhooks/webhook-commands.ts';
import { registerWebhookRoutes } from './webhooks/webhook-routes.ts';

/** The command side's routes, and the commands that they send to partition owners. */
const features = [
  { register: registerCreate, commands: [createCommand] },
  { register: registerUpdate, commands: [updateCommand] },
  { register: registerRemove, commands: [removeCommand] },
  { register: registerRestore, commands: [restoreCommand] },
  { register: registerDuplicateRoutes, commands: [] },
  { register: registerLinkRoutes, commands: [linkCommand, unlinkCommand] },
  { register: registerMassActionRoutes, commands: [massActionCommand] },
  { register: registerUndoRoutes, commands: [revertCommand] },
  { register: registerImportRoutes, commands: [] },
  {
    register: registerLeadRoutes,
    commands: [convertCommand, linkConvertedCommand, endConversionCommand],
  },
  { register: registerLeadCaptureRoutes, commands: [renewCaptureKeyCommand] },
  { register: serveOptInPage, commands: optInCommands },
  { register: registerMeetingRoutes, commands: [setAcceptanceCommand] },
  {
    register: registerMergeRoutes,
    commands: [mergeCommand, relinkCommand, mergeAwayCommand, endMergeCommand],
  },
  { register: registerAttachmentRoutes, commands: [uploadCommand] },
  { register: registerNoteRoutes, commands: [pinCommand] },
  { register: registerCurrencyRoutes, commands: [convertCurrencyCommand, setRatesCommand] },
  { register: registerSettingsRoutes, commands: [changeSettingsCommand] },
  { register: registerPreferences, commands: [changePreferencesCommand] },
  { register: registerBoardOrder, commands: [placeCardsCommand] },
  { register: registerNotificationMarks, commands: [markNotificationsCommand] },
  { register: registerFollowingRoutes, commands: [markCommand] },
  { register: registerTeamRoutes, commands: [] },
  {
    register: registerDefinitionRoutes,
    commands: [defineEntityCommand, grantCommand, layoutCommand],
  },
  {
    register: registerWebhookRoutes,
    commands: [rotateSecretCommand, switchOffCommand, runQueueCommand],
  },
  {
    register: registerReplayRoutes,
    commands: [startReplayCommand, cancelReplayCommand, resumeReplayCommand],
  },
  { register: registerQuarantineRoutes, commands: [discardCommand] },
  { register: registerTokenRoutes, commands: loginCommands },
  { register: registerSessionRoutes, commands: [] },
  { register: registerOwnSessionsRoutes, commands: [] },
  { register: registerUserSecurityRoutes, commands: [] },
  { register: registerRecoveryRoutes, commands: [] },
  { register: registerMailRoutes, commands: emailCommands },
  { register: registerProviderRoutes, commands: singleSignOnCommands },
  { register: registerSignInRoutes, commands: [] },
  { register: registerEspoOidcRoutes, commands: [] },
  { register: registerLogoutRoutes, commands: [] },
  { register: registerScimTokenRoutes, commands: scimCommands },
  { register: registerScimRoutes, commands: [] },
] as const;

export function registerCommandRoutes(server: FastifyInstance, context: CommandContext): void {
  for (const { register } of features) register(server, context);
}

/** Commands whose routes need other services, or that have none. */
const otherCommands = [acknowledgeFindingCommand, repeatCommand] as const;

type AnyCommand = (typeof features)[number]['commands'][number] | (typeof otherCommands)[number];

/** All commands that can be sent to the owner of a partition. */
export const commands: readonly AnyCommand[] = [
  ...features.flatMap((feature): readonly AnyCommand[] => feature.commands),
  ...otherCommands,
];

export const commandsByName: ReadonlyMap<string, CommandDefinition> = new Map(
  commands.map((command) => [command.name, command]),
);
