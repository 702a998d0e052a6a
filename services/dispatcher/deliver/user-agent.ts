import packageJson from '../../../package.json' with { type: 'json' };

export const userAgent = `Annals-Webhooks/${packageJson.version}`;
