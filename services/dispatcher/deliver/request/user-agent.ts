import { version } from '../../../../shared/runtime/version.ts';

export const userAgent = `Annals-Webhooks/${version}`;
