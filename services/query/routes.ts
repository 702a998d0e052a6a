import type { FastifyInstance } from 'fastify';
import { registerActivityRoutes } from './activities/activity-routes.ts';
import { registerAttendees } from './activities/attendee-routes.ts';
import { registerCalendars } from './activities/calendar-routes.ts';
import { registerReminders } from './activities/reminder-routes.ts';
import type { QueryContext, WritingContext } from './context.ts';
import { registerDeleted } from './deleted/deleted-routes.ts';
import { registerExportRoutes } from './export/export-routes.ts';
import { registerFileRoutes } from './files/file-routes.ts';
import { registerHistory } from './history/history-routes.ts';
import { registerImportReads } from './import/import-routes.ts';
import { registerBoardReads } from './kanban/kanban-routes.ts';
import { registerLinkRoutes } from './links/link-routes.ts';
import { registerGlobalSearch } from './lists/global-search-routes.ts';
import { registerListRoutes } from './lists/list-routes.ts';
import { registerAppRoutes } from './metadata/app-routes.ts';
import { registerLayouts, registerLayoutWrites } from './metadata/layout-routes.ts';
import {
  registerNotificationCount,
  registerNotifications,
} from './notifications/notification-routes.ts';
import { registerDescriptionRoutes } from './openapi/description-routes.ts';
import { registerPreferenceReads } from './preferences/preferences-routes.ts';
import { registerAccessRoutes } from './records/access-routes.ts';
import { registerRecordRoutes } from './records/record-routes.ts';
import { registerStreamReads } from './stream/stream-routes.ts';
import { registerRecentChanges } from './undo/undo-routes.ts';
import { registerDeliveryRoutes } from './webhooks/delivery-routes.ts';

/** Registers all routes that only read, by feature. */
export function registerQueryRoutes(server: FastifyInstance, context: QueryContext): void {
  registerFileRoutes(server, context);
  registerAppRoutes(server, context);
  registerLayouts(server, context);
  registerDeliveryRoutes(server, context);
  registerGlobalSearch(server, context);
  registerStreamReads(server, context);
  registerNotificationCount(server, context);
  registerAccessRoutes(server, context);
  registerPreferenceReads(server, context);
  registerActivityRoutes(server, context);
  registerAttendees(server, context);
  registerCalendars(server, context);
  registerReminders(server, context);
  registerBoardReads(server, context);
  registerListRoutes(server, context);
  registerRecordRoutes(server, context);
  registerHistory(server, context);
  registerLinkRoutes(server, context);
  registerRecentChanges(server, context);
  registerImportReads(server, context);
  registerDeleted(server, context);
  registerDescriptionRoutes(server, context);
}

/** Registers the routes that read, and then write through the command side in the same process. */
export function registerStoringRoutes(server: FastifyInstance, context: WritingContext): void {
  registerExportRoutes(server, context);
  registerLayoutWrites(server, context);
  registerNotifications(server, context);
}
