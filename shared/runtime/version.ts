import packageJson from '../../package.json' with { type: 'json' };

/** The version of Annals that this process runs. */
export const { version } = packageJson;
