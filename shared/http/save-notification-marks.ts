import type { FastifyRequest } from 'fastify';
import type { MarkChange } from '../domain/notifications/notification-marks.ts';

/** Stores what the requesting user has read. Resolves to the consistency token of the change. */
export type SaveNotificationMarks = (
  request: FastifyRequest,
  change: MarkChange,
) => Promise<{ readonly consistencyToken: string }>;
