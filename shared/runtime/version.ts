import packageJson from '../../package.json' with { type: 'json' };

/** The version of this installation. */
export const { version } = packageJson;
