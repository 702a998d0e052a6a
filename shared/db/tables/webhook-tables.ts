/** The schema of webhook deliveries. The projector fills its tables from the topics. */
export const webhookSchema = 'annals_webhooks';

/** Converts milliseconds since 1970 to a time in UTC in the format of these tables. */
export function toSqlTime(msSince1970: number): string {
  return new Date(msSince1970).toISOString().slice(0, 23).replace('T', ' ');
}
