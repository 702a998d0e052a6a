/** The schema of what became of webhooks: its tables are filled by the projector, from the topics. */
export const webhookSchema = 'annals_webhooks';

/** Time in UTC as these tables have it, from milliseconds since 1970. */
export function toSqlTime(msSince1970: number): string {
  return new Date(msSince1970).toISOString().slice(0, 23).replace('T', ' ');
}
