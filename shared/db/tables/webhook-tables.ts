/** The schema of webhook deliveries. The projector fills its tables from the topics. */
export const webhookSchema = 'annals_webhooks';

/** A time in UTC in the format of these tables, from milliseconds since 1970. */
export function toSqlTime(msSince1970: number): string {
  return new Date(msSince1970).toISOString().slice(0, 23).replace('T', ' ');
}
