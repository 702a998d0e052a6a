import packageJson from '../../package.json' with { type: 'json' };

/** Of this installation. */
export const { version } = packageJson;
