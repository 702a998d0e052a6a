import type { FastifyInstance } from 'fastify';
import { type LeadRouteDeps, registerLeadRoutes } from './conversion/lead-routes.ts';
import { registerDuplicateRoutes } from './copies/duplicate-routes.ts';
import { registerCurrencyRoutes } from './currency/currency-routes.ts';
import { registerDefinitionRoutes } from './definitions/definition-routes.ts';
import { registerTeamRoutes } from './directory/team-routes.ts';
import { type AttachmentRouteDeps, registerAttachmentRoutes } from './files/attachment-routes.ts';
import {
  type LeadCaptureRouteDeps,
  registerLeadCaptureRoutes,
} from './lead-capture/lead-capture-routes.ts';
import { type LoginRouteDeps, registerSessionRoutes } from './logins/session-routes.ts';
import { registerTokenRoutes } from './logins/token-routes.ts';
import { registerUserSecurityRoutes } from './logins/user-security-routes.ts';
import {
  type MassActionRouteDeps,
  registerMassActionRoutes,
} from './mass-actions/mass-action-routes.ts';
import { registerMeetingRoutes } from './meetings/meeting-routes.ts';
import type { MergeDeps } from './merge/merge-records.ts';
import { registerMergeRoutes } from './merge/merge-routes.ts';
import {
  type QuarantineRouteDeps,
  registerQuarantineRoutes,
} from './quarantine/quarantine-routes.ts';
import { type LinkRouteDeps, registerLinkRoutes } from './records/link-routes.ts';
import { registerRecordActionRoutes } from './records/record-action-routes.ts';
import { type RecordRouteDeps, registerRecordRoutes } from './records/record-routes.ts';
import type { RestoreDeps } from './records/restore-record.ts';
import { registerSettingsRoutes } from './settings/settings-routes.ts';
import { type FollowingRouteDeps, registerFollowingRoutes } from './stream/following-routes.ts';
import { registerNoteRoutes } from './stream/note-routes.ts';
import { type ReplayRouteDeps, registerReplayRoutes } from './webhooks/replay-routes.ts';
import { registerWebhookRecordRoutes } from './webhooks/webhook-record-routes.ts';
import { registerWebhookRoutes, type WebhookRouteDeps } from './webhooks/webhook-routes.ts';

export type CommandRoutesDeps = FollowingRouteDeps &
  LeadRouteDeps &
  LeadCaptureRouteDeps &
  MassActionRouteDeps &
  MergeDeps &
  RestoreDeps &
  RecordRouteDeps &
  LinkRouteDeps &
  AttachmentRouteDeps &
  LoginRouteDeps &
  QuarantineRouteDeps &
  WebhookRouteDeps &
  ReplayRouteDeps;

/** Registers all routes of the command side, by feature. */
export function registerCommandRoutes(server: FastifyInstance, deps: CommandRoutesDeps): void {
  registerRecordRoutes(server, deps);
  registerRecordActionRoutes(server, deps);
  registerDuplicateRoutes(server, deps);
  registerLinkRoutes(server, deps);
  registerMassActionRoutes(server, deps);
  registerLeadRoutes(server, deps);
  registerLeadCaptureRoutes(server, deps);
  registerMeetingRoutes(server, deps);
  registerMergeRoutes(server, deps);
  registerAttachmentRoutes(server, deps);
  registerNoteRoutes(server, deps);
  registerCurrencyRoutes(server, deps);
  registerSettingsRoutes(server, deps);
  registerFollowingRoutes(server, deps);
  registerTeamRoutes(server, deps);
  registerDefinitionRoutes(server, deps);
  registerWebhookRecordRoutes(server, deps);
  registerWebhookRoutes(server, deps);
  registerReplayRoutes(server, deps);
  registerQuarantineRoutes(server, deps);
  registerTokenRoutes(server, deps);
  registerSessionRoutes(server, deps);
  registerUserSecurityRoutes(server, deps);
}
