import type { PayloadFormat } from './payload-format.ts';

/** The attributes of each record, as EspoCRM sends them (docs/reference/webhooks.md). */
export const recordsFormat: PayloadFormat<'records'> = {
  name: 'records',
  hasEnvelope: false,
  write: (_name, { data }) => data,
};
