import type { FastifyInstance } from 'fastify';
import { type LeadRouteDeps, registerLeadRoutes } from './conversion/lead-routes.ts';
import { registerCurrencyRoutes } from './currency/currency-routes.ts';
import { registerDefinitionRoutes } from './definitions/definition-routes.ts';
import { registerTeamRoutes } from './directory/team-routes.ts';
import { type AttachmentRouteDeps, registerAttachmentRoutes } from './files/attachment-routes.ts';
import {
  type MassActionRouteDeps,
  registerMassActionRoutes,
} from './mass-actions/mass-action-routes.ts';
import type { MergeDeps } from './merge/merge-records.ts';
import { registerMergeRoutes } from './merge/merge-routes.ts';
import { type LinkRouteDeps, registerLinkRoutes } from './records/link-routes.ts';
import { registerRecordActionRoutes } from './records/record-action-routes.ts';
import { type RecordRouteDeps, registerRecordRoutes } from './records/record-routes.ts';
import type { RestoreDeps } from './records/restore-record.ts';
import { registerNoteRoutes } from './stream/note-routes.ts';
import { registerStreamRoutes, type StreamRouteDeps } from './stream/stream-routes.ts';
import { registerWebhookRecordRoutes } from './webhooks/webhook-record-routes.ts';

/** Every route under /api/v1 that writes records, by feature. */
export function registerCommandRoutes(
  server: FastifyInstance,
  deps: StreamRouteDeps &
    LeadRouteDeps &
    MassActionRouteDeps &
    MergeDeps &
    RestoreDeps &
    RecordRouteDeps &
    LinkRouteDeps &
    AttachmentRouteDeps,
): void {
  registerRecordRoutes(server, deps);
  registerRecordActionRoutes(server, deps);
  registerLinkRoutes(server, deps);
  registerMassActionRoutes(server, deps);
  registerLeadRoutes(server, deps);
  registerMergeRoutes(server, deps);
  registerAttachmentRoutes(server, deps);
  registerNoteRoutes(server, deps);
  registerCurrencyRoutes(server, deps);
  registerStreamRoutes(server, deps);
  registerTeamRoutes(server, deps);
  registerDefinitionRoutes(server, deps);
  registerWebhookRecordRoutes(server, deps);
}
